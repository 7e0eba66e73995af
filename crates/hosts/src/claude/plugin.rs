//! Claude Code's plugin: the files of the folder `plugins/claude`, made from the same texts that
//! `init` installs, so that they stay the same.

use std::time::Duration;

use sprag_formats::{Edit, Value};

use crate::Host;
use crate::install::commands::Slash;
use crate::install::component::Component;
use crate::install::enter::enter;
use crate::install::entry::Wanted;
use crate::install::refused::Refused;
use crate::install::settings_layout::Scope;
use crate::install::survey::{edited, read};

/// How long the host waits for the answer to a stop: ten and a half minutes, as without a `wait`.
const LIMIT: Duration = Duration::from_secs(630);

/// Returns every file of the plugin: its path below the folder, and its text.
pub fn plugin(version: &str) -> Result<Vec<(String, String)>, Refused> {
    let wanted = Wanted {
        host: Host::CLAUDE,
        program: "sprag",
        limit: LIMIT,
        scope: Scope::Shared,
        root: "",
    };
    let text = |part: Component| Ok::<_, Refused>(enter(None, &[part], &wanted)?.text);
    let mut files = vec![
        (".claude-plugin/plugin.json".to_owned(), manifest(version)?),
        ("hooks/hooks.json".to_owned(), text(Component::Entries)?),
        (".mcp.json".to_owned(), text(Component::Server)?),
    ];
    for slash in Slash::ALL {
        files.push((format!("commands/{}.md", slash.name()), text(Component::Command(slash))?));
    }
    Ok(files)
}

/// The plugin's manifest. Its name is the one before the colon of `/sprag:why`.
fn manifest(version: &str) -> Result<String, Refused> {
    let about = "Holds agent sessions to the project's own checks. Needs sprag on the search path, \
                 and `sprag init` in the project.";
    let fields = [
        Edit::set(["name"], "sprag"),
        Edit::set(["version"], version),
        Edit::set(["description"], about),
        Edit::set(["author"], Value::map([("name", "the sprag authors")])),
    ];
    edited("{}\n", &read("{}\n")?, &fields)
}
