//! Detects units that come up again and again without progress.

/// A dispatched unit, as kind and id, and its error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub key: String,
    pub error: Option<String>,
}

/// Returns why the last of these units makes no progress, if so; the oldest unit comes first.
pub fn stuck(window: &[Window]) -> Option<String> {
    let [.., before, last] = window else { return None };
    if let Some(error) = last.error.as_ref().filter(|error| before.error.as_ref() == Some(error)) {
        let first: String = error.chars().take(200).collect();
        return Some(format!("Same error repeated: {first}")).filter(|_| !error.is_empty());
    }
    let key = &last.key;
    if window.len() >= 3 && window[window.len() - 3..].iter().all(|one| one.key == *key) {
        return Some(format!("{key} derived 3 consecutive times without progress"));
    }
    let times = window.iter().filter(|one| one.key == *key).count();
    if times >= 3 {
        let all = window.len();
        return Some(format!(
            "{key} derived {times} times in last {all} attempts without progress"
        ));
    }
    if let [.., one, two, three, four] = window
        && one.key == three.key
        && two.key == four.key
        && one.key != two.key
    {
        return Some(format!("Oscillation detected: {} ↔ {}", one.key, two.key));
    }
    twice_missing(window).map(|path| format!("Missing file referenced twice: {path} (ENOENT)"))
}

/// Returns the first path that two errors report as missing.
fn twice_missing(window: &[Window]) -> Option<&str> {
    let mut seen = Vec::new();
    for error in window.iter().filter_map(|one| one.error.as_deref()) {
        let path = error.split_once("ENOENT").and_then(|(_, rest)| {
            let (path, _) = rest.split_once('\'')?.1.split_once('\'')?;
            Some(path).filter(|path| !path.is_empty())
        });
        match path {
            Some(path) if seen.contains(&path) => return Some(path),
            Some(path) => seen.push(path),
            None => {}
        }
    }
    None
}
