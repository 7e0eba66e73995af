//! Reads the lines at the end of a segment.

use sprag_core::Seq;

use crate::line::{BadLine, Line};

/// The good lines from some offset on.
#[derive(Debug, PartialEq)]
pub(crate) struct Scan {
    /// Each line with its offset.
    pub(crate) lines: Vec<(u64, Line)>,
    /// The offset at which the last good line ends.
    pub(crate) end: u64,
    /// Whether the bytes behind `end` are the rest of an incomplete write.
    pub(crate) torn: bool,
}

/// Damage: a bad line that is not merely the end of an incomplete write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) offset: u64,
    pub(crate) why: String,
}

/// Reads `bytes`, which start at `offset` in a segment. The first line must have the number
/// `first`.
///
/// A bad piece at the very end is an incomplete write that was never acknowledged. A bad line with
/// another line after it is damage, and nothing may be concluded from it.
pub(crate) fn scan(bytes: &[u8], offset: u64, first: Option<Seq>) -> Result<Scan, Broken> {
    let mut scan = Scan { lines: Vec::new(), end: offset, torn: false };
    let mut expected = first;
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            scan.torn = true;
            break;
        };
        let line = match Line::decode(&rest[..length]) {
            Ok(line) => line,
            Err(BadLine::Sum | BadLine::Shape(_)) if rest.len() == length + 1 => {
                scan.torn = true;
                break;
            }
            Err(error) => return Err(Broken { offset: scan.end, why: error.to_string() }),
        };
        if let Some(expected) = expected.filter(|&expected| expected != line.seq) {
            let why = format!("event {} stands where event {expected} should", line.seq);
            return Err(Broken { offset: scan.end, why });
        }
        if line.seq > Seq::MAX {
            let why = format!("event {} is beyond all numbers", line.seq);
            return Err(Broken { offset: scan.end, why });
        }
        expected = Some(line.seq.next());
        let at = scan.end;
        scan.end += length as u64 + 1;
        scan.lines.push((at, line));
        rest = &rest[length + 1..];
    }
    Ok(scan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprag_core::Time;

    fn text(seqs: &[u64]) -> String {
        let line = |&seq: &u64| Line::new(Seq(seq), Time::from_millis(0), "t").encode().unwrap();
        seqs.iter().map(line).collect()
    }

    #[test]
    fn every_cut_of_a_write_is_a_torn_tail() {
        let whole = text(&[1, 2]);
        let first = text(&[1]).len();
        for cut in 0..whole.len() {
            let scan = scan(&whole.as_bytes()[..cut], 0, Some(Seq(1))).unwrap();
            assert_eq!(scan.lines.len(), usize::from(cut >= first));
            assert_eq!(scan.torn, cut != 0 && cut != first);
            assert_eq!(scan.end, if cut >= first { first as u64 } else { 0 });
        }
    }

    #[test]
    fn damage_before_other_lines_is_not_a_torn_tail() {
        let broken = format!("garbage\n{}", text(&[1]));
        assert_eq!(scan(broken.as_bytes(), 9, None).unwrap_err().offset, 9);
        assert!(scan(text(&[1, 3]).as_bytes(), 0, None).unwrap_err().why.contains("event 3"));
        assert!(scan(text(&[2]).as_bytes(), 0, Some(Seq(1))).is_err());
    }
}
