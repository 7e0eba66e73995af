//! The settings under `hosts:`: a person's own arguments and variables for a host that the runner
//! starts.

use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, argv, word};
use crate::keys;

/// The settings of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostConfig {
    /// Arguments added after ours.
    pub argv: Vec<String>,
    /// Variables added to the person's environment, in the order of the file.
    pub env: Vec<(String, String)>,
}

/// Reads `hosts: {HOST: {argv, env}}`, in the order of the file. Unknown hosts are noted.
pub(super) fn hosts(
    field: &Field<'_>,
    names: &[&str],
    faults: &mut Faults,
) -> Vec<(String, HostConfig)> {
    faults.note_unknown(field, names);
    let entries = faults.take(field.entries()).unwrap_or_default();
    let known = entries.into_iter().filter(|(name, _)| names.contains(name));
    known.map(|(name, field)| (name.to_owned(), host(&field, faults))).collect()
}

fn host(field: &Field<'_>, faults: &mut Faults) -> HostConfig {
    if field.is_null() || faults.take(field.entries()).is_none() {
        return HostConfig::default();
    }
    faults.note_unknown(field, &keys::HOST);
    let argv = faults.optional(field, "argv", argv).unwrap_or_default();
    let env = field.optional(&["env"]).map(|field| env(&field, faults)).unwrap_or_default();
    HostConfig { argv, env }
}

fn env(field: &Field<'_>, faults: &mut Faults) -> Vec<(String, String)> {
    let entries = faults.take(field.entries()).unwrap_or_default();
    let read = |(name, field): (&str, Field<'_>)| -> Result<(String, String), Fault> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_name) || name.as_bytes()[0].is_ascii_digit() {
            let what = format!("`{}` is not the name of a variable", name.escape_debug());
            return Err(field.fault(FaultKind::Type, what));
        }
        if name.starts_with("SPRAG_") {
            let what = format!("`{name}` belongs to sprag, which sets it itself");
            return Err(field.fault(FaultKind::Type, what));
        }
        Ok((name.to_owned(), word(&field)?))
    };
    entries.into_iter().filter_map(|entry| faults.take(read(entry))).collect()
}
