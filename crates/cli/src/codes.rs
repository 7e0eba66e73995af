//! The stable codes of sprag's diagnostics, so that a web search finds them.
//!
//! `K00` is the command line and its surroundings, `K01` the state of a project, `K02` its
//! workflows, `K03` its plans.

/// The kinds of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Usage,
    NoFolder,
    Output,
    NoProject,
    PersonsOnly,
    NoEvent,
    NoRun,
    BadRoot,
    NoPath,
    Refused,
    NotAdopted,
    State,
    Document,
    Journal,
    Busy,
    NotWritten,
    UnknownKey,
    Files,
    Gate,
    Definition,
    Ambiguous,
    Ignored,
    Plan,
    PlanOdd,
    LaterVersion,
}

impl Code {
    pub(crate) const ALL: [Self; 25] = [
        Self::Usage,
        Self::NoFolder,
        Self::Output,
        Self::NoProject,
        Self::PersonsOnly,
        Self::NoEvent,
        Self::NoRun,
        Self::BadRoot,
        Self::NoPath,
        Self::Refused,
        Self::NotAdopted,
        Self::State,
        Self::Document,
        Self::Journal,
        Self::Busy,
        Self::NotWritten,
        Self::UnknownKey,
        Self::Files,
        Self::Gate,
        Self::Definition,
        Self::Ambiguous,
        Self::Ignored,
        Self::Plan,
        Self::PlanOdd,
        Self::LaterVersion,
    ];

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Usage => "K0001",
            Self::NoFolder => "K0002",
            Self::Output => "K0003",
            Self::NoProject => "K0004",
            Self::PersonsOnly => "K0005",
            Self::NoEvent => "K0006",
            Self::NoRun => "K0007",
            Self::BadRoot => "K0008",
            Self::NoPath => "K0009",
            Self::Refused => "K0010",
            Self::NotAdopted => "K0011",
            Self::State => "K0101",
            Self::Document => "K0102",
            Self::Journal => "K0103",
            Self::Busy => "K0104",
            Self::NotWritten => "K0105",
            Self::UnknownKey => "K0106",
            Self::Files => "K0107",
            Self::Gate => "K0108",
            Self::Definition => "K0201",
            Self::Ambiguous => "K0202",
            Self::Ignored => "K0203",
            Self::Plan => "K0301",
            Self::PlanOdd => "K0302",
            Self::LaterVersion => "K0303",
        }
    }

    /// Returns a one-line explanation for the manual.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Usage => "the command line is not one sprag understands",
            Self::NoFolder => "the folder to act in is not there",
            Self::Output => "the output could not be written",
            Self::NoProject => "neither this folder nor one above it is a project",
            Self::PersonsOnly => "only a person may do this",
            Self::NoEvent => "the journal has no line of that number",
            Self::NoRun => "no run has that name, or more than one begins with it",
            Self::BadRoot => "SPRAG_ROOT names something that is not a folder",
            Self::Refused => "it is not done like this, or not now",
            Self::NotAdopted => "this folder came from elsewhere, and no person here agreed to it",
            Self::NoPath => "there is nothing at that path that sprag checks",
            Self::State => "the state folder or one of its files cannot be read",
            Self::Document => "a document is not what its format allows",
            Self::Journal => "the journal says something that cannot be",
            Self::Busy => "another sprag command held the lock for too long",
            Self::NotWritten => "a change could not be written",
            Self::UnknownKey => "a key that this version does not know; it is kept",
            Self::Files => "the files of the project cannot be listed",
            Self::Gate => "a gate could not be evaluated",
            Self::Definition => "a workflow or a phase is wrong, so the workflow is not used",
            Self::Ambiguous => "a workflow is used, and not as its author thinks",
            Self::Ignored => "a value of another type, which is ignored",
            Self::Plan => "a plan is wrong, so none of its tasks is run",
            Self::PlanOdd => "a plan is run, and not as its author thinks",
            Self::LaterVersion => "a file of a later version, of which little is read",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_none_is_given_twice() {
        assert!(Code::ALL.is_sorted_by(|one, other| one.text() < other.text()));
    }
}
