//! Determines who calls, and which agent is meant.

use sprag_core::Agent;
use sprag_core::inbox::Who;
use sprag_world::caller::{Caller, caller};

use crate::codes::Code;
use crate::env;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// Returns the caller: `--as`, else the agent that this session is, else the person at the
/// keyboard.
pub(super) fn asking(named: Option<&str>) -> Result<Who, EarlyExit> {
    let own = own();
    match (named, own.as_deref()) {
        (Some(name), Some(own)) if name != own => {
            let message = format!("this session is {own}, and may not speak as `{name}`");
            Err(Fault::new(Exit::NeedsPerson, Code::PersonsOnly, message)
                .help("leave out --as, or unset SPRAG_AGENT")
                .into())
        }
        (Some(name), _) | (None, Some(name)) => Who::parse(name).ok_or_else(|| {
            let message = format!("`{}` is no agent's name", name.escape_debug());
            Fault::new(Exit::Usage, Code::Usage, message).help("name one, or `mayor`").into()
        }),
        (None, None) => match caller(env::is_set) {
            Caller::Person => Ok(Who::Person),
            Caller::Agent { mark } => {
                let message = format!("an agent asks here ({mark}) and does not say which");
                Err(Fault::new(Exit::Usage, Code::Usage, message)
                    .help("say it with `--as NAME`")
                    .into())
            }
        },
    }
}

/// Returns the agent meant: `name`, else `named`, else the agent that this session is.
pub(super) fn meant(name: Option<&str>, named: Option<&str>) -> Result<Agent, EarlyExit> {
    let own = own();
    let Some(name) = name.or(named).or(own.as_deref()) else {
        let fault = Fault::new(Exit::Usage, Code::Usage, "which agent?");
        return Err(fault.help("name it; `sprag agent ls` lists them").into());
    };
    Agent::parse(name).map_err(|bad| no_name(&bad))
}

/// Returns the error for an invalid name.
pub(super) fn no_name(why: &impl ToString) -> EarlyExit {
    Fault::new(Exit::Usage, Code::Usage, why.to_string()).help("name another one").into()
}

fn own() -> Option<String> {
    env::get(env::AGENT).and_then(|name| name.into_string().ok())
}
