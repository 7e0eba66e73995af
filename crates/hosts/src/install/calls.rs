use super::refused::Refused;
use super::survey::{read, slots};
use crate::Host;

/// Returns the event of every entry in a settings file that calls sprag. An event with two such
/// entries appears twice.
pub fn calls(text: &str, host: Host) -> Result<Vec<&'static str>, Refused> {
    let Some(form) = host.form().filter(|_| !text.trim().is_empty()) else { return Ok(Vec::new()) };
    let document = read(text)?;
    let slots = slots(&document, host, form)?;
    let ours = slots.iter().filter(|slot| slot.calls_us());
    let event = |slot: &super::survey::SettingsEntry<'_>| {
        form.events.iter().copied().find(|event| *event == slot.event)
    };
    Ok(ours.filter_map(event).collect())
}
