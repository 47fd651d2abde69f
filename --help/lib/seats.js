// Who has which seat on a board: lists of names have the chair first.

export const [CHAIR, SECRETARY] = ['board chair', 'company secretary'];

const holds = (position) => ({ boardPositions }) => boardPositions?.includes(position) ?? false;

/** Returns members with those in the chair first, the others in their order. */
export function chairFirst(members) {
  const isChair = holds(CHAIR);
  return [...members.filter(isChair), ...members.filter((member) => !isChair(member))];
}

/** Returns those of some members who have a position. */
export function holdersOf(members, position) {
  return members.filter(holds(position));
}
