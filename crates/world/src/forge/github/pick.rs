//! Picks this folder's pull request among those of a branch name, which is not unique across forks.

use serde_json::Value;

use super::{ForgeError, odd};

/// The facts about this folder's branch.
pub(super) struct Here<'a> {
    /// The owner of the repository that the branch is pushed to, if git knows it.
    pub(super) owner: Option<&'a str>,
    /// Returns whether a commit is HEAD or an ancestor of it.
    pub(super) has: &'a dyn Fn(&str) -> bool,
    /// The pull request that was found before.
    pub(super) known: Option<u32>,
}

/// Returns the number of this folder's pull request, if there is one.
///
/// It is the one from the repository that the branch is pushed to, or from the forge's own if git
/// does not know that. Another repository may merely have a branch of the same name, so its pull
/// request counts only if the folder has its head commit. Among several, the one found before is
/// chosen, and otherwise the answer is an error.
pub(super) fn number(list: &Value, here: &Here<'_>) -> Result<Option<u32>, ForgeError> {
    let Some(list) = list.as_array() else { return Err(odd("pr list is no list")) };
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for one in list {
        let number = one["number"].as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.ok_or_else(|| odd("a pull request has no number"))?;
        if is_of_owner(one, here.owner) {
            ours.push(number);
        } else {
            others.push((number, one["headRefOid"].as_str()));
        }
    }
    // Each call starts a process, so only candidates that can decide are checked.
    let is_had = |(_, head): &&(u32, Option<&str>)| head.is_some_and(here.has);
    let known = |known: &u32| {
        let is_known = |one: &&(u32, Option<&str>)| one.0 == *known && is_had(one);
        ours.contains(known) || others.iter().any(|one| is_known(&one))
    };
    if let Some(known) = here.known.filter(known) {
        return Ok(Some(known));
    }
    if ours.is_empty() {
        ours.extend(others.iter().filter(is_had).map(|(number, _)| *number));
    }
    match ours.as_slice() {
        [] => Ok(None),
        [number] => Ok(Some(*number)),
        several => {
            let numbers: Vec<_> = several.iter().map(|number| format!("#{number}")).collect();
            Err(ForgeError::Several { numbers: numbers.join(", ") })
        }
    }
}

/// Returns whether a pull request comes from the repository that the branch is pushed to.
fn is_of_owner(one: &Value, owner: Option<&str>) -> bool {
    let theirs = one["headRepositoryOwner"]["login"].as_str();
    match (owner, theirs) {
        (Some(owner), Some(theirs)) => owner.eq_ignore_ascii_case(theirs),
        (Some(_) | None, _) => one["isCrossRepository"].as_bool() != Some(true),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(number: u32, fork: bool, head: &str) -> Value {
        json!({ "number": number, "isCrossRepository": fork, "headRefOid": head,
            "headRepositoryOwner": { "login": if fork { "ann" } else { "acme" } } })
    }

    /// Picks with `head` as the folder's commit.
    fn pick(list: &Value, head: &str, known: Option<u32>) -> Result<Option<u32>, ForgeError> {
        number(list, &Here { owner: None, has: &|commit| commit == head, known })
    }

    #[test]
    fn a_fork_with_a_branch_of_the_same_name_is_somebody_elses() {
        let list = json!([one(9, true, "theirs"), one(7, false, "ours")]);
        assert_eq!(pick(&list, "ours", None), Ok(Some(7)));
        assert_eq!(pick(&json!([one(9, true, "theirs")]), "ours", None), Ok(None));
        assert_eq!(pick(&json!([one(9, true, "x")]), "x", None), Ok(Some(9)));
        assert_eq!(pick(&json!([one(9, true, "x")]), "", Some(9)), Ok(None));
    }

    #[test]
    fn the_one_from_where_the_branch_is_pushed_to_is_meant_whatever_its_head() {
        let list = json!([one(9, true, "x"), one(7, false, "y")]);
        let pushed = |owner| {
            number(&list, &Here { owner: Some(owner), has: &|head| head == "y", known: None })
        };
        assert_eq!(pushed("Ann"), Ok(Some(9)));
        assert_eq!(pushed("acme"), Ok(Some(7)));
        assert_eq!(pushed("bob"), Ok(Some(7)), "its head is here");
    }

    #[test]
    fn of_several_the_known_one_is_meant_and_nobody_guesses() {
        let list = json!([one(9, false, "h"), one(7, false, "h")]);
        let several = Err(ForgeError::Several { numbers: "#9, #7".to_owned() });
        assert_eq!(pick(&list, "h", None), several);
        assert_eq!(pick(&list, "h", Some(7)), Ok(Some(7)));
        assert_eq!(pick(&list, "h", Some(5)), several);
    }

    #[test]
    fn a_head_is_looked_for_only_where_it_can_decide() {
        let asked = std::cell::RefCell::new(Vec::new());
        let has = |head: &str| {
            asked.borrow_mut().push(head.to_owned());
            head == "b"
        };
        let forks = [one(9, true, "a"), one(8, true, "b")];
        let whole = [&forks[..], &[one(7, false, "c")]].concat();
        for (list, known, meant, looked) in [
            (&whole[..], None, 7, &[][..]),
            (&whole[..], Some(7), 7, &[]),
            (&whole[..], Some(8), 8, &["b"]),
            (&whole[..], Some(9), 7, &["a"]),
            (&forks[..], None, 8, &["a", "b"]),
        ] {
            let here = Here { owner: None, has: &has, known };
            assert_eq!(number(&json!(list), &here), Ok(Some(meant)));
            assert_eq!(asked.take(), looked, "{known:?}");
        }
    }

    #[test]
    fn what_is_no_list_of_numbers_is_odd() {
        assert!(pick(&json!({}), "", None).is_err());
        assert!(pick(&json!([{ "number": "7" }]), "", None).is_err());
        assert_eq!(pick(&json!([]), "", None), Ok(None));
    }
}
