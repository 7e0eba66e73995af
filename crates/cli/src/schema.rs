//! `sprag check --schema`: the JSON Schemas for editors.

use serde_json::{Map, Value};
use sprag_formats::Schema;

use crate::codes::Code;
use crate::context::OutputFormat;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::screen;

/// Prints one schema or the list of schemas; in JSON mode the list contains all schemas.
pub(crate) fn show(answer: OutputFormat, name: Option<&str>) -> Result<Exit, EarlyExit> {
    let asked = Schema::ALL.into_iter().find(|schema| Some(schema.name()) == name);
    match (asked, answer) {
        (Some(schema), OutputFormat::Text | OutputFormat::Json) => screen::print(schema.text())?,
        (None, OutputFormat::Json) => screen::print_json(&all()?)?,
        (None, OutputFormat::Text) => {
            let line = |schema: Schema| format!("{:<10}{}\n", schema.name(), schema.of());
            let lines: String = Schema::ALL.into_iter().map(line).collect();
            screen::print(&format!("{lines}Next: sprag check --schema config\n"))?;
        }
    }
    Ok(Exit::Done)
}

fn all() -> Result<Value, EarlyExit> {
    let mut all = Map::new();
    for schema in Schema::ALL {
        let text = serde_json::from_str(schema.text()).map_err(|error| {
            Fault::new(Exit::Failed, Code::Output, format!("cannot read a schema: {error}"))
        })?;
        all.insert(schema.name().to_owned(), text);
    }
    Ok(Value::Object(all))
}
