//! Which of the pull requests of a branch's name is this folder's: names are not unique over forks.

use serde_json::Value;

use super::{ForgeError, odd};

/// Returns the number of the one that is meant; nothing when none is.
///
/// One of this repository's own branch comes first, and among several the one known already, else
/// the newest. One from a fork may only have a branch of the same name, so it counts where its head
/// is the very commit that is checked out here.
pub(super) fn number(
    list: &Value,
    head: Option<&str>,
    known: Option<u32>,
) -> Result<Option<u32>, ForgeError> {
    let Some(list) = list.as_array() else { return Err(odd("pr list is no list")) };
    let number = |one: &Value| one["number"].as_u64().and_then(|number| u32::try_from(number).ok());
    let is_ours = |one: &&Value| {
        let same = head.is_some() && one["headRefOid"].as_str() == head;
        one["isCrossRepository"].as_bool() != Some(true) || same
    };
    let mut ours: Vec<_> = list.iter().filter(is_ours).collect();
    ours.sort_by_key(|one| {
        let is_known = known.is_some() && number(one) == known;
        (!is_known, one["isCrossRepository"].as_bool() == Some(true))
    });
    match ours.first() {
        None => Ok(None),
        Some(first) => number(first).map(Some).ok_or_else(|| odd("a pull request has no number")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(number: u32, fork: bool, head: &str) -> Value {
        json!({ "number": number, "isCrossRepository": fork, "headRefOid": head })
    }

    #[test]
    fn a_fork_with_a_branch_of_the_same_name_is_somebody_elses() {
        let list = json!([one(9, true, "theirs"), one(7, false, "ours")]);
        assert_eq!(number(&list, Some("ours"), None), Ok(Some(7)));
        assert_eq!(number(&json!([one(9, true, "theirs")]), Some("ours"), None), Ok(None));
        assert_eq!(number(&json!([one(9, true, "x")]), Some("x"), None), Ok(Some(9)));
        assert_eq!(number(&json!([one(9, true, "x")]), None, Some(9)), Ok(None));
    }

    #[test]
    fn of_several_the_known_one_is_meant_else_the_newest() {
        let list = json!([one(9, false, "h"), one(7, false, "h")]);
        assert_eq!(number(&list, Some("h"), None), Ok(Some(9)));
        assert_eq!(number(&list, Some("h"), Some(7)), Ok(Some(7)));
        assert_eq!(number(&list, Some("h"), Some(5)), Ok(Some(9)));
    }

    #[test]
    fn what_is_no_list_of_numbers_is_odd() {
        assert!(number(&json!({}), None, None).is_err());
        assert!(number(&json!([{ "number": "7" }]), None, None).is_err());
        assert_eq!(number(&json!([]), None, None), Ok(None));
    }
}
