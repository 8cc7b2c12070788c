import { lost, over, tooMany } from '../../../project-file/checks'
import { gone, live } from '../../../project-file/pair'
import { type Problem, problem } from '../../../project-file/problem'
import type { Checking, User } from '../../../project-file/section'
import { MOST } from '../../rules'
import { OFFERINGS, type OfferingState } from './model'

/** Refuses a second default offering, too many offerings or packages, and pruning an offering that is in use. */
export const checkOfferings = ({
  wanted,
  pairs,
  users,
}: Checking<OfferingState, unknown, OfferingState>): Problem[] => [
  ...(wanted?.filter(({ state }) => state.isDefault) ?? [])
    .slice(1)
    .map(({ path, name }) =>
      problem([...path, 'isDefault'], `${name} is the second default offering; there is exactly one`),
    ),
  ...tooMany(OFFERINGS, pairs, MOST.offerings),
  ...live(pairs).flatMap(({ path, after }) =>
    path === null ? [] : over([...path, 'packages'], 'packages', after.packages.length, MOST.packages),
  ),
  // One problem for each kind of object that uses an offering.
  ...[...Map.groupBy(users, ({ kind }: User) => kind).values()].flatMap((some) => lost(OFFERINGS, gone(pairs), some)),
]
