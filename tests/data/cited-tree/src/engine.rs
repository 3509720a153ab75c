// Juggling (CR 701.2a) is done without looking.
fn juggle() -> f32 { 613.7f }

/// CR 701.3a/c, 701.4: whistle and stack.
fn whistle() { assert_eq!(reason(), "CR 701.4a: stack the pebbles"); }
// see rule
// 702.1 on copying
const VERSION: &str = "703.2.1"; let price = 703.30; let rule = 702.1 * 2.0; at(rule * 701.2, cr[701]);
