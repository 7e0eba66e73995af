//! The table of kinds, and how their runs are loaded.

use sprag_core::workflow::Definitions;
use sprag_core::{Plain, Run, RunId, Stored, Unreadable};
use sprag_formats::{GuardConfig, StoredFile};
use sprag_store::View;

use super::{AnyRun, Info};
use crate::engine::kind::run_header::{Header, path};
use crate::unusable::Unusable;

/// The kinds of runs that an engine knows.
pub type Kinds = &'static [&'static Entry];

/// A kind of run in the table of kinds: its properties, and how its runs are loaded.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub info: &'static Info,
    /// Loads a run with all that it is judged by.
    pub open: fn(&Reading<'_>) -> Result<AnyRun, Unusable>,
    /// Checks the kernel's part of a run's file without the rest.
    pub check: fn(&Checking<'_>) -> Result<(), Unreadable>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.info.word == other.info.word
    }
}

impl Eq for Entry {}

/// A run's file that is being loaded.
#[derive(Debug)]
pub struct Reading<'r> {
    pub view: &'r View<'r>,
    pub id: &'r RunId,
    pub header: &'r Header,
    pub file: &'r StoredFile<'r>,
    /// The guard of the configuration that the run is judged by.
    pub guard: Option<&'r GuardConfig>,
}

impl Reading<'_> {
    /// Reads the kernel's part of the run.
    pub fn kernel<P: Stored>(&self) -> Result<Run<P>, Unusable> {
        Run::lift(self.file.plain()).map_err(|bad| self.bad(&bad))
    }

    /// Builds the error of a value in the run's file.
    pub fn bad(&self, bad: &Unreadable) -> Unusable {
        let fault = self.file.fault(bad);
        match path(self.id.as_str()) {
            Ok(path) => Unusable::Wrong(Box::new(fault.in_file(path.as_str()))),
            Err(bad) => bad.into(),
        }
    }
}

/// A run's file that is being checked.
pub struct Checking<'c> {
    pub header: &'c Header,
    pub plain: &'c Plain,
    /// Returns the run's own copy of its workflow, if it can be read.
    pub recorded: &'c dyn Fn() -> Option<Definitions>,
}

/// Checks a file that holds nothing but the engine's and the kernel's part.
pub fn check_kernel<P: Stored>(file: &Checking<'_>) -> Result<(), Unreadable> {
    Run::<P>::lift(file.plain).map(drop)
}
