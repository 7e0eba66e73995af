//! Usage limits of hosts, shared by all drivers of a project.

use sprag_core::event::HostLimited;
use sprag_core::reporting::Limited;
use sprag_core::{RunId, Time};
use sprag_store::View;
use sprag_world::clock;

use super::ACTOR;
use crate::agents_file::{AgentsFile, Limit, Limits};
use crate::draft::Draft;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::open_run::OpenRun;
use crate::run_file::RunFile;
use crate::run_file::runs;

impl Engine<'_> {
    /// Records that a host is limited.
    pub fn drive_limited(&self, run: &RunId, host: &str, limit: &Limit) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            note(run, &mut ledger, (host, limit.clone()), &mut draft);
            draft.edit(ledger.edit(run)?);
            Ok((draft, ()))
        })
    }

    /// Returns the limits that a run knows and that have not ended.
    pub fn drive_limits(&self, run: &RunId) -> Result<Limits, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.limited(clock::now())))
    }

    /// Copies the limits that other open runs know.
    pub fn drive_learn_limits(&self, run: &RunId) -> Result<(), EngineError> {
        let now = clock::now();
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            let mut news = of_others(self.kinds, view, run, now)?;
            let is_known = |host: &String, limit: &Limit| {
                ledger.limits.get(host).is_some_and(|known| known.until >= limit.until)
            };
            news.retain(|host, limit| !is_known(host, limit));
            if !news.is_empty() {
                for (host, limit) in news {
                    note(run, &mut ledger, (&host, limit), &mut draft);
                }
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })
    }
}

fn note(run: &RunId, ledger: &mut AgentsFile, (host, limit): (&str, Limit), draft: &mut Draft) {
    let (until, why) = (Some(limit.until), limit.why.clone());
    let limited = HostLimited { host: host.to_owned(), until, why };
    draft.note(Some(run), limited);
    ledger.limits.insert(host.to_owned(), limit);
}

/// Returns the limits that other open runs know.
fn of_others(kinds: Kinds, view: &View<'_>, run: &RunId, now: Time) -> Result<Limits, EngineError> {
    let mut all = Limits::new();
    for id in runs(view)?.into_iter().filter(|id| id != run) {
        let known =
            AgentsFile::read(view, &id).map(|ledger| ledger.limited(now)).unwrap_or_default();
        let is_over =
            || RunFile::open(kinds, view, &id, None).map_or(true, |file| file.is_over(now));
        if known.is_empty() || is_over() {
            continue;
        }
        for (host, limit) in known {
            let known = all.entry(host).or_insert_with(|| limit.clone());
            if known.until < limit.until {
                *known = limit;
            }
        }
    }
    Ok(all)
}

/// Returns the limited hosts that an open run without a working agent waits for.
pub(crate) fn limits(
    view: &View<'_>,
    case: &OpenRun,
    now: Time,
) -> Result<Vec<Limited>, EngineError> {
    let live = &case.run.live;
    let is_at_work = live.attempts().iter().any(|attempt| live.hold_of(attempt, now).is_none());
    if is_at_work || case.run.header.ended.is_some() {
        return Ok(Vec::new());
    }
    let known = AgentsFile::read(view, case.run.id())?.limited(now);
    let limited = |(host, Limit { until, why })| Limited { host, until, why };
    Ok(known.into_iter().map(limited).collect())
}
