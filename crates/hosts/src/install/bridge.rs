//! The bridges for hosts that call no commands. They are embedded in the binary, so that they and
//! `sprag rpc` always have the same version.

use sprag_formats::Value;

use super::commands::Slash;
use super::entry::Wanted;

/// The line of a bridge that names the program to call.
const PROGRAM: &str = "const PROGRAM = \"sprag\"";
/// The line of a bridge that lists the slash commands.
const COMMANDS: &str = "const COMMANDS = []";

/// The bridge as installed: with the program's name and the slash commands filled in.
pub(crate) fn text(wanted: &Wanted<'_>) -> Option<String> {
    let bridge = wanted.host.bridge()?.text;
    let program = format!("const PROGRAM = {}", json(wanted.named()));
    let commands = Slash::ALL.map(|slash| {
        let template = json(&slash.body("$ARGUMENTS"));
        let (name, about) = (slash.name(), json(slash.about()));
        format!("  {{ name: \"sprag:{name}\", description: {about}, template: {template} }},\n")
    });
    let commands = format!("const COMMANDS = [\n{}]", commands.concat());
    Some(bridge.replacen(PROGRAM, &program, 1).replacen(COMMANDS, &commands, 1))
}

/// Quotes a text for JavaScript.
fn json(text: &str) -> String {
    sprag_formats::to_json_line(&Value::from(text)).trim_end().to_owned()
}
