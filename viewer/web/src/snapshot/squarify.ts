// SPDX-License-Identifier: MIT
// A squarified treemap (Bruls, Huizing, van Wijk 2000): boxes whose areas are proportional to
// values, and as close to squares as possible.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The worst ratio of sides in a row of these areas along a side of this length. */
function worst(areas: number[], sum: number, side: number): number {
  const thickness = sum / side;
  return Math.max(
    ...areas.map((area) => Math.max((area / thickness) / thickness, thickness / (area / thickness)))
  );
}

/** Lays a row along the shorter side of the room, and returns the rest of the room. */
function place(areas: number[], sum: number, room: Box, boxes: Box[]): Box {
  const isColumn = room.width >= room.height;
  const thickness = sum / (isColumn ? room.height : room.width);
  let at = isColumn ? room.y : room.x;
  for (const area of areas) {
    const length = area / thickness;
    boxes.push(isColumn ? { x: room.x, y: at, width: thickness, height: length }
                        : { x: at, y: room.y, width: length, height: thickness });
    at += length;
  }
  return isColumn ? { ...room, x: room.x + thickness, width: room.width - thickness }
                  : { ...room, y: room.y + thickness, height: room.height - thickness };
}

/** Values descend and are positive. Returns a box for each. */
export function squarify(values: number[], room: Box): Box[] {
  const boxes: Box[] = [];
  const sum = values.reduce((all, value) => all + value, 0);
  if (sum <= 0 || room.width <= 0 || room.height <= 0)
    return values.map(() => ({ x: room.x, y: room.y, width: 0, height: 0 }));
  const scale = (room.width * room.height) / sum;
  let row: number[] = [];
  let rowSum = 0;
  for (const value of values) {
    const area = value * scale;
    const side = Math.min(room.width, room.height);
    const grows = row.length > 0 &&
      worst([...row, area], rowSum + area, side) > worst(row, rowSum, side);
    if (grows) {
      room = place(row, rowSum, room, boxes);
      row = [];
      rowSum = 0;
    }
    row.push(area);
    rowSum += area;
  }
  place(row, rowSum, room, boxes);
  return boxes;
}
