//! Identifies a process beyond its id, which is reused and means another process after a reboot or
//! in another container.

use super::table;

/// Whether a recorded process still exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It exists.
    Alive,
    /// It has ended.
    Gone,
    /// Unknown: it was recorded in another boot or container, or by its id alone.
    Unknown,
}

/// Returns a record that identifies a process later: id, start, boot and namespace, or the id alone
/// if the system offers no more. `pid` is in the host's own notation.
pub fn identity(pid: &str) -> String {
    let whole = table::start(pid).zip(here()).map(|(start, here)| format!("{pid} {start} {here}"));
    whole.unwrap_or_else(|| pid.to_owned())
}

/// Looks up a process that [`identity`] recorded.
pub fn life(noted: &str) -> Life {
    let mut words = noted.splitn(3, ' ');
    let (pid, began, there) = (words.next().unwrap_or_default(), words.next(), words.next());
    let (Some(began), Some(there)) = (began, there) else {
        return if super::no_such(pid) { Life::Gone } else { Life::Unknown };
    };
    if here().as_deref() != Some(there) {
        return Life::Unknown;
    }
    match table::start(pid) {
        Some(start) if start == began => Life::Alive,
        Some(_) => Life::Gone,
        None if super::no_such(pid) => Life::Gone,
        None => Life::Unknown,
    }
}

/// Returns the boot and the namespace in which process ids are valid.
fn here() -> Option<String> {
    Some(format!("{} {}", sprag_store::boot_id()?, table::namespace()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_itself_only_with_its_start_boot_and_namespace() {
        let own = identity(&std::process::id().to_string());
        assert_eq!(life(&own), Life::Alive);
        let words: Vec<&str> = own.split(' ').collect();
        let [pid, start, boot, space] = words.as_slice() else { panic!("{own}") };
        assert_eq!(life(&format!("{pid} 1{start} {boot} {space}")), Life::Gone, "its number again");
        assert_eq!(life(&format!("{pid} {start} other {space}")), Life::Unknown, "another boot");
        assert_eq!(life(&format!("{pid} {start} {boot} pid:[7]")), Life::Unknown, "a container");
        assert_eq!(life(pid), Life::Unknown, "a number alone may be another one's by now");
        assert_eq!(life(&format!("4194305 {start} {boot} {space}")), Life::Gone);
        assert_eq!((life("4194305"), identity("4194305").as_str()), (Life::Gone, "4194305"));
        assert_eq!(life("no number"), Life::Unknown);
    }
}
