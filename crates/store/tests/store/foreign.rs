use sprag_core::DocPath;
use sprag_store::{Point, StoreError, View};

use crate::folder::Folder;

fn seen<T>(folder: &Folder, look: impl Fn(&View<'_>) -> T) -> T {
    folder.store().read(|view| Ok::<_, StoreError>(look(view))).unwrap()
}

#[test]
fn what_somebody_else_wrote_is_found_from_a_point_on_and_not_before() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.by_hand("a.md", "mine");
    folder.put("a.md", "2");
    let (point, last) = seen(&folder, |view| (view.point(), view.last()));
    assert_eq!(last, folder.store().last().unwrap(), "it is behind all that there is");
    folder.put("c.md", "the words foreign.edit in a text are no edit");
    let since = |point: &Point| folder.store().foreign_since(point).unwrap();
    assert_eq!(since(&point).len(), 0, "that was before");

    folder.put("b.md", "1");
    let b = DocPath::parse("b.md").unwrap();
    let stands = |doc: &DocPath| seen(&folder, |view| (view.is_foreign(doc), view.is_known(doc)));
    assert_eq!(stands(&b), (false, true));
    folder.by_hand("b.md", "theirs");
    assert_eq!(stands(&b), (true, false));
    assert_eq!(since(&point).len(), 0, "it is not noted yet");
    folder.put("b.md", "2");
    assert_eq!(stands(&b), (false, true));
    assert_eq!(since(&point).into_iter().collect::<Vec<_>>(), ["b.md"]);

    let now = folder.store().last().unwrap();
    assert_eq!(since(&Point::of(now)).len(), 0);
    let first = seen(&folder, |view| Point::of(view.last()));
    for n in 0..200 {
        folder.put("d.md", &n.to_string());
    }
    folder.by_hand("d.md", "theirs");
    folder.put("d.md", "ours");
    assert_eq!(since(&first).into_iter().collect::<Vec<_>>(), ["d.md"]);
    let unknown = DocPath::parse("nobody/knows.md").unwrap();
    assert_eq!(stands(&unknown), (false, false));
}
