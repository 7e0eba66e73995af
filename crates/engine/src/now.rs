//! The moment of a decision: the time, and the files as they are.

use std::cell::OnceCell;

use sprag_core::{Hash, Time};
use sprag_world::git::Uncommitted;
use sprag_world::tree::{Tree, TreeError};

use crate::edits::PersonsEdits;
use crate::engine::kind::Moment;
use crate::engine::{Engine, EngineError};

/// The moment of a decision. The tree is scanned only on first use: most hook calls need none.
pub(crate) struct Now<'e> {
    pub(crate) engine: &'e Engine<'e>,
    pub(crate) at: Time,
    tree: OnceCell<Tree>,
    /// Cached, because a decision repeated under the store's lock must not wait for git.
    persons_edits: OnceCell<PersonsEdits>,
    /// Cached, because several records of one decision begin with it.
    uncommitted: OnceCell<Uncommitted>,
}

impl Moment for Now<'_> {
    fn engine(&self) -> &Engine<'_> {
        self.engine
    }

    fn at(&self) -> Time {
        self.at
    }

    fn tree(&self) -> Result<&Tree, EngineError> {
        Now::tree(self)
    }
}

impl<'e> Now<'e> {
    pub(crate) fn new(engine: &'e Engine<'e>) -> Self {
        Self {
            engine,
            at: sprag_world::clock::now(),
            tree: OnceCell::new(),
            persons_edits: OnceCell::new(),
            uncommitted: OnceCell::new(),
        }
    }

    /// Uses a tree that was just scanned, if there is one.
    pub(crate) fn knowing(engine: &'e Engine<'e>, tree: Option<Tree>) -> Self {
        let tree = tree.map_or_else(OnceCell::new, OnceCell::from);
        let (persons_edits, uncommitted) = (OnceCell::new(), OnceCell::new());
        Self { engine, at: sprag_world::clock::now(), tree, persons_edits, uncommitted }
    }

    pub(crate) fn into_tree(self) -> Result<Tree, EngineError> {
        match self.tree.into_inner() {
            Some(tree) => Ok(tree),
            None => self.engine.tree(),
        }
    }

    /// Returns the person's uncommitted edits.
    pub(crate) fn persons_edits(&self) -> &PersonsEdits {
        self.persons_edits.get_or_init(|| {
            let engine = self.engine;
            let is_here = engine.files.root == engine.place.root;
            let uncommitted = if is_here {
                self.uncommitted().clone()
            } else {
                engine.git_at_hand().uncommitted()
            };
            engine.persons_edits(uncommitted)
        })
    }

    /// Returns the uncommitted files among those that gates judge.
    pub(crate) fn uncommitted(&self) -> &Uncommitted {
        self.uncommitted.get_or_init(|| self.engine.uncommitted_files(self.tree().ok()))
    }

    /// Returns the hash of the files. If git cannot list them, it is a hash that no receipt has:
    /// then nothing is proven, but holds can still be shown and set.
    pub(crate) fn hash(&self) -> Result<Hash, EngineError> {
        Ok(self.listed()?.map_or_else(|| Hash::of(""), Tree::hash))
    }

    /// Returns the tree, or `None` if git cannot list the files.
    pub(crate) fn listed(&self) -> Result<Option<&Tree>, EngineError> {
        match self.tree() {
            Err(EngineError::Tree(TreeError::Git { .. })) => Ok(None),
            tree => tree.map(Some),
        }
    }

    pub(crate) fn tree(&self) -> Result<&Tree, EngineError> {
        if let Some(tree) = self.tree.get() {
            return Ok(tree);
        }
        let tree = self.engine.tree()?;
        Ok(self.tree.get_or_init(|| tree))
    }
}
