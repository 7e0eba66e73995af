//! The JSON Schemas of the files that people write, for their editors.
//!
//! A schema accepts every text that the reader accepts without warnings. A file with an unknown key
//! is read with a warning, and editors underline that key. A test compares schemas with readers.

use sprag_core::DocPath;

/// A file with a schema.
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
    pub const ALL: [Self; 3] = [Self::Config, Self::Workflow, Self::Phase];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Workflow => "workflow",
            Self::Phase => "phase",
        }
    }

    /// A description of the file.
    pub const fn of(self) -> &'static str {
        match self {
            Self::Config => ".sprag/config.yaml",
            Self::Workflow => "workflow.yaml in a workflow's folder",
            Self::Phase => "the front matter of a phase file",
        }
    }

    pub const fn text(self) -> &'static str {
        match self {
            Self::Config => include_str!("../../../schemas/config.schema.json"),
            Self::Workflow => include_str!("../../../schemas/workflow.schema.json"),
            Self::Phase => include_str!("../../../schemas/phase.schema.json"),
        }
    }

    /// The schema's path in a project, for editors. It is in the cache, which is not shared and may
    /// be deleted, so it always matches the installed sprag.
    pub fn path(self) -> String {
        format!(".sprag/cache/schemas/{}.schema.json", self.name())
    }

    /// The first line of a generated YAML file at `file`, which points editors to the schema by a
    /// relative path.
    pub fn header(self, file: &DocPath) -> String {
        let up = "../".repeat(file.names().count().saturating_sub(1));
        let path = self.path();
        let path = match file.as_str().strip_prefix(".sprag/") {
            // Both are in `.sprag`, so the relative path stays inside it.
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
