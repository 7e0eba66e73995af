//! The JSON Schemas of the files that people write, for their editors.
//!
//! A schema accepts what the reader takes without a word: a file with a key nobody knows is read
//! with a note, and editors underline that key. A test holds schemas and readers together.

use sprag_core::DocPath;

/// A file that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// `config.yaml`.
    Config,
    /// `workflow.yaml`.
    Workflow,
    /// The front matter of a phase.
    Phase,
}

impl Schema {
    /// Every schema.
    pub const ALL: [Self; 3] = [Self::Config, Self::Workflow, Self::Phase];

    /// Returns what it is asked for by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Workflow => "workflow",
            Self::Phase => "phase",
        }
    }

    /// Says what it is the schema of.
    pub const fn of(self) -> &'static str {
        match self {
            Self::Config => ".sprag/config.yaml",
            Self::Workflow => "workflow.yaml in a workflow's folder",
            Self::Phase => "the front matter of a phase file",
        }
    }

    /// Returns the schema itself.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Config => include_str!("../../../schemas/config.schema.json"),
            Self::Workflow => include_str!("../../../schemas/workflow.schema.json"),
            Self::Phase => include_str!("../../../schemas/phase.schema.json"),
        }
    }

    /// Returns where a project keeps it, for its editors: in the cache, which is not shared and may
    /// be deleted, so that it is always the schema of the sprag at hand.
    pub fn path(self) -> String {
        format!(".sprag/cache/schemas/{}.schema.json", self.name())
    }

    /// Returns the first line of a generated YAML file at `file`: it tells editors where the schema
    /// is, from there.
    pub fn header(self, file: &DocPath) -> String {
        let up = "../".repeat(file.names().count().saturating_sub(1));
        let path = self.path();
        let path = match file.as_str().strip_prefix(".sprag/") {
            // Both are below: one step less up, and no way down again.
            Some(_) => format!("{}{}", &up[3..], &path[".sprag/".len()..]),
            None => format!("{up}{path}"),
        };
        format!("# yaml-language-server: $schema={path}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_leads_from_the_file_to_its_schema() {
        let header = |file: &str| Schema::Config.header(&DocPath::parse(file).unwrap());
        let expected = "# yaml-language-server: $schema=";
        let schema = "cache/schemas/config.schema.json";
        assert_eq!(header(".sprag/config.yaml"), format!("{expected}{schema}\n"));
        let flow = ".sprag/workflows/dev/workflow.yaml";
        assert_eq!(header(flow), format!("{expected}../../{schema}\n"));
        let other = ".pi/workflows/dev/workflow.yaml";
        assert_eq!(header(other), format!("{expected}../../../.sprag/{schema}\n"));
        assert_eq!(header("config.yaml"), format!("{expected}.sprag/{schema}\n"));
    }
}
