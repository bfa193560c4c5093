// A head that holds a camera straight down from a tube, and a tray that holds a Pi on the same tube.
// Millimetres. Measure your tube and your screws, change the numbers, render:
//   openscad -D 'part="head"' -D tube=25 -o head.stl mount.scad
// Print as it lies, without supports: PETG or PLA, 0.2 mm layers, four walls. Boards are screwed under the plates, on
// nylon spacers, so that the tube is never in the picture.

part = "head";           // head, tray or both
camera = "module-3";     // module-3 (also Wide) or hq
tube = 25;               // outer diameter of the tube: a broomstick, a microphone boom
play = 0.4;              // how much wider a hole is than what goes in
wall = 4;                // thickness of the clamp
depth = 22;              // length of tube that is held
screw = 4;               // of the clamp: M4 with a wing nut
reach = 38;              // from the middle of the tube to the middle of the camera

// Holes of the boards: distance across and along, diameter, size of the plate.
holes = camera == "hq" ? [30, 30] : [21, 12.5];
hole = camera == "hq" ? 2.7 : 2.2;
plate = camera == "hq" ? [44, 44] : [31, 32];
sheet = 3;               // thickness of plates

pi_holes = [58, 49];     // Raspberry Pi 3, 4 and 5
pi_hole = 2.7;
pi_plate = [72, 62];

$fn = 64;

// A split ring around the tube, which lies along y, open towards -x.
module clamp() {
  outer = tube + play + 2 * wall;
  ear = screw * 2.6;
  difference() {
    union() {
      rotate([90, 0, 0]) cylinder(d = outer, h = depth, center = true);
      translate([-outer / 2 - ear / 2 + wall, 0, 0]) cube([ear + wall, depth, 2 * wall + 3], center = true);
    }
    rotate([90, 0, 0]) cylinder(d = tube + play, h = depth + 1, center = true);
    translate([-outer / 2, 0, 0]) cube([outer + 2 * ear, depth + 1, 3], center = true);
    translate([-outer / 2 - ear / 2, 0, 0]) cylinder(d = screw + play, h = outer, center = true);
  }
}

// Four holes through a plate.
module through(at, diameter) {
  for (x = [-1, 1], y = [-1, 1]) translate([x * at[0] / 2, y * at[1] / 2, -1]) cylinder(d = diameter, h = 50);
}

// The plate lies beside the tube; the camera is screwed under it and looks down, away from the clamp.
module head() {
  radius = (tube + play) / 2 + wall;
  translate([0, 0, radius]) clamp();
  difference() {
    union() {
      translate([reach - plate[0] / 2, -plate[1] / 2, 0]) cube([plate[0], plate[1], sheet]);
      // The arm from the clamp to the plate, with a rib against sagging.
      translate([0, -depth / 2, 0]) cube([reach - plate[0] / 2 + 1, depth, sheet]);
      translate([0, -wall / 2, 0]) rotate([90, 0, 0]) translate([0, 0, -wall])
        linear_extrude(wall) polygon([[radius * 0.7, 0], [reach - plate[0] / 2 + 6, 0], [radius * 0.9, radius]]);
    }
    translate([reach, 0, 0]) through(holes, hole);
    translate([0, 0, radius]) rotate([90, 0, 0]) cylinder(d = tube + play, h = depth + 20, center = true);
  }
}

module tray() {
  radius = (tube + play) / 2 + wall;
  translate([0, 0, radius]) clamp();
  difference() {
    translate([-pi_plate[0] / 2, -pi_plate[1] / 2, 0]) cube([pi_plate[0], pi_plate[1], sheet]);
    through(pi_holes, pi_hole);
    translate([0, 0, radius]) rotate([90, 0, 0]) cylinder(d = tube + play, h = 200, center = true);
    // Air, and slots for cable ties.
    for (x = [-1, 1]) translate([x * 21, 0, -1]) cube([4, 26, 20], center = true);
  }
}

if (part == "head" || part == "both") head();
if (part == "tray" || part == "both") translate([part == "both" ? 110 : 0, 0, 0]) tray();
