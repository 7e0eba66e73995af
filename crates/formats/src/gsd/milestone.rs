//! Reads the documents of a milestone.

use sprag_core::gsd::{
    Closing, Fill, Milestone, MilestoneContext, Paper, Papers, Roadmap, RuleValues,
};
use sprag_core::{DocPath, UnitId};

use super::load::{Depth, Loader, below_root};
use super::names::{self, Bare};
use super::{closing, context, extensions, lint, roadmap, verdict};
use crate::workflow::Weight;

impl Loader<'_> {
    /// Reads a milestone without the levels below it. Returns `None` if its name is not a valid
    /// path.
    pub(super) fn milestone(&mut self, id: &str, folder: &str) -> Option<Milestone> {
        let path = DocPath::parse(&below_root(folder)).ok()?;
        let names = self.names(folder);
        let papers = self.papers(&names, id, folder, Paper::OF_MILESTONE, Bare::Counts);
        let mut found = Milestone { names, papers, ..Milestone::new(id, path) };
        found.roadmap = self.roadmap(&found);
        if found.papers.has(Paper::Parked) {
            return Some(found);
        }
        found.summary = self.closing(&found);
        if found.roadmap.as_ref().is_some_and(Roadmap::is_done) {
            let paper = self.paper(&found.papers, Paper::Validation);
            found.verdict =
                paper.and_then(|(file, text)| self.problems.read(&file, &text, verdict));
        }
        if !found.is_closed() || self.depth == Depth::Everything {
            self.problems.needed = !found.is_closed();
            self.contexts(&mut found);
            self.problems.needed = true;
        }
        Some(found)
    }

    /// Finds the documents among names.
    pub(super) fn papers(
        &mut self,
        all: &[String],
        id: &str,
        folder: &str,
        wanted: &[Paper],
        bare: Bare,
    ) -> Papers {
        let place = below_root(folder);
        let mut found = Vec::new();
        for paper in wanted {
            let name =
                self.problems.names(&place, |reader| names::file(all, id, *paper, bare, reader));
            let path = name.and_then(|name| DocPath::parse(&format!("{place}/{name}")).ok());
            found.extend(path.map(|path| (*paper, path)));
        }
        found.into_iter().collect()
    }

    /// Returns the path and the text of a document.
    pub(super) fn paper(&mut self, papers: &Papers, paper: Paper) -> Option<(String, String)> {
        let path = papers.path(paper)?.as_str().to_owned();
        let below = path.strip_prefix(".gsd/")?.to_owned();
        let text = self.text(&below)?.into_owned();
        Some((path, text))
    }

    fn roadmap(&mut self, milestone: &Milestone) -> Option<Roadmap> {
        let (file, text) = self.paper(&milestone.papers, Paper::Roadmap)?;
        if text.is_empty() {
            self.warn_empty(&file);
            return None;
        }
        let found = self.problems.read(&file, &text, roadmap);
        if self.depth == Depth::Everything {
            for (at, what) in lint::roadmap(&text, &found) {
                self.problems.warn(&file, &text, at, what);
            }
        }
        Some(found)
    }

    fn closing(&mut self, milestone: &Milestone) -> Option<Closing> {
        let (file, text) = self.paper(&milestone.papers, Paper::Summary)?;
        Some(self.problems.read(&file, &text, closing))
    }

    /// Reads the context, and if that is empty, its draft.
    fn contexts(&mut self, milestone: &mut Milestone) {
        let own = self.paper(&milestone.papers, Paper::Context);
        let draft = own.as_ref().is_none_or(|(_, text)| text.is_empty());
        milestone.context = self.context(own);
        if draft {
            let draft = self.paper(&milestone.papers, Paper::ContextDraft);
            milestone.draft = self.context(draft);
        }
    }

    fn context(&mut self, paper: Option<(String, String)>) -> Option<MilestoneContext> {
        let (file, text) = paper?;
        Some(self.problems.read(&file, &text, context))
    }

    /// Reads the values that rules store in a document.
    pub(super) fn kept(
        &mut self,
        at: &str,
        papers: &Papers,
        homes: &[Paper],
    ) -> Option<RuleValues> {
        let at = UnitId::parse(at).ok()?;
        let mut first = None;
        for paper in homes {
            let Some((file, text)) = self.paper(papers, *paper) else { continue };
            let home = papers.path(*paper)?.clone();
            let values = match extensions(&text) {
                Ok(values) => values,
                Err(fault) if text.contains("\nextensions:") => {
                    self.problems.unread(&file, &format!("line {fault}"));
                    continue;
                }
                Err(fault) => {
                    if self.depth == Depth::Everything {
                        self.problems.fault(&file, &text, &fault, Weight::Warns);
                    }
                    Vec::new()
                }
            };
            let is_filled = !values.is_empty();
            let found = RuleValues { at: at.clone(), home, values };
            if is_filled {
                return Some(found);
            }
            first = first.or(Some(found));
        }
        first
    }

    /// Reports an empty document, which counts as missing.
    pub(super) fn warn_empty(&mut self, file: &str) {
        if self.depth == Depth::Everything {
            self.problems.warn(file, "", 0, "it is empty, so it is taken for none".to_owned());
        }
    }

    /// Returns whether a document has content.
    pub(super) fn says(&mut self, papers: &Papers, paper: Paper) -> bool {
        self.paper(papers, paper).is_some_and(|(_, text)| Fill::of(&text) != Fill::Empty)
    }
}
