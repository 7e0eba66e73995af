use super::{Definition, Definitions, OrderEntry, Phase, Position, SessionRecord};

/// The resolved position of an active workflow.
#[derive(Clone, Debug)]
pub struct Active<'d> {
    /// The outermost workflow.
    pub root: &'d Definition,
    /// The innermost workflow.
    pub scope: &'d Definition,
    /// The phase to work on.
    pub phase: &'d Phase,
    /// Whether the position is before another workflow that was not entered.
    pub parked: bool,
    /// The next entry in the innermost workflow.
    pub next: Option<&'d OrderEntry>,
    /// The nested workflows, outermost first, with their keys.
    pub crumbs: Vec<(&'d str, &'d Definition)>,
    /// The index in the innermost workflow.
    pub index: usize,
}

impl<'d> Active<'d> {
    /// Resolves the position of a state; `None` if it is not active or names something missing.
    pub fn of(definitions: &'d Definitions, state: &'d SessionRecord) -> Option<Self> {
        if state.active { Self::at(definitions, &state.position) } else { None }
    }

    /// Resolves a position; `None` if it names something missing.
    pub fn at(definitions: &'d Definitions, position: &'d Position) -> Option<Self> {
        let find = |key: &'d str| Some((key, definitions.get(key)?));
        let crumbs: Vec<_> =
            position.path.iter().map(|level| find(&level.key)).collect::<Option<_>>()?;
        let (_, root) = *crumbs.first()?;
        let (_, scope) = *crumbs.last()?;
        let index = usize::try_from(position.path.last()?.index).ok()?;
        let entry = scope.phases.get(index)?;
        Some(Self {
            root,
            scope,
            phase: definitions.first_phase(entry)?,
            parked: matches!(entry, OrderEntry::Workflow(_)),
            next: scope.phases.get(index + 1),
            crumbs,
            index,
        })
    }

    /// Returns the names of the nested workflows: `A > B`.
    pub fn breadcrumb(&self) -> String {
        let names: Vec<_> = self.crumbs.iter().map(|(_, known)| known.name.as_str()).collect();
        names.join(" > ")
    }
}
