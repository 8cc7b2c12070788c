/** What the reference says about an operator that follows an attribute. */
export interface OperatorFacts {
  name: string
  group: OperatorGroup
  about: string
  /** A condition of an attribute, and a value for which it holds. */
  example: readonly [condition: unknown, value: string]
}

export type OperatorGroup = 'EQUALITY' | 'ORDER' | 'PRESENCE' | 'LISTS' | 'VERSIONS' | 'DATES' | 'TEXT' | 'GROUPS'

const facts = (
  group: OperatorGroup,
  rows: readonly (readonly [name: string, about: string, condition: unknown, value: string])[],
): OperatorFacts[] =>
  rows.map(([name, about, condition, value]) => ({ name, group, about, example: [condition, value] }))

const PRO = '["pro","coach"]'

/** Every operator that follows an attribute, in the order of the reference. */
export const OPERATOR_FACTS: readonly OperatorFacts[] = [
  ...facts('EQUALITY', [
    ['$eq', 'is the value; of a list, an item is the value', 'TR', 'TR'],
    ['$ne', 'is not the value, or is missing', { $ne: 'TR' }, 'DE'],
    ['$in', 'is one of the values; of a list, an item is one of them', { $in: ['TR', 'DE'] }, 'DE'],
    ['$nin', 'is none of the values, or is missing', { $nin: ['TR', 'DE'] }, 'FR'],
    ['$ini', 'as `$in`; upper and lower case are the same', { $ini: ['tr', 'de'] }, 'DE'],
    ['$nini', 'as `$nin`; upper and lower case are the same', { $nini: ['tr', 'de'] }, 'FR'],
  ]),
  ...facts('ORDER', [
    ['$gt', 'is greater than the value', { $gt: 17 }, '18'],
    ['$gte', 'is the value or greater', { $gte: 18 }, '18'],
    ['$lt', 'is less than the value', { $lt: 18 }, '17'],
    ['$lte', 'is the value or less', { $lte: 17 }, '17'],
  ]),
  ...facts('PRESENCE', [['$exists', 'is there (`true`) or is missing (`false`)', { $exists: true }, 'anything']]),
  ...facts('LISTS', [
    ['$all', 'is a list that has all of the values', { $all: ['pro', 'coach'] }, PRO],
    ['$size', 'is a list with so many items; the number may be a comparison', { $size: { $gte: 2 } }, PRO],
    ['$elemMatch', 'is a list with an item for which the condition holds', { $elemMatch: { $startsWith: 'pro' } }, PRO],
  ]),
  ...facts('VERSIONS', [
    ['$vgt', 'is a later version', { $vgt: '1.9' }, '1.10'],
    ['$vgte', 'is that version or a later one', { $vgte: '1.9.0' }, '1.9.0'],
    ['$vlt', 'is an earlier version', { $vlt: '2.0.0' }, '2.0.0-beta.1'],
    ['$vlte', 'is that version or an earlier one', { $vlte: '2' }, '2.0.0'],
    ['$veq', 'is the same version', { $veq: '1.2.0' }, 'v1.2+build.7'],
    ['$vne', 'is not the same version, or is no version, or is missing', { $vne: '1.2.0' }, '1.2.1'],
  ]),
  ...facts('DATES', [
    ['$dgt', 'is later', { $dgt: '2026-11-27' }, '2026-11-27T08:00:00Z'],
    ['$dgte', 'is that time or later', { $dgte: '2026-11-27T10:00:00+02:00' }, '2026-11-27T08:00:00Z'],
    ['$dlt', 'is earlier', { $dlt: { $ago: 'P3D' } }, '2020-01-01'],
    ['$dlte', 'is that time or earlier', { $dlte: { $ahead: 'PT1H' } }, '2020-01-01'],
  ]),
  ...facts('TEXT', [
    ['$startsWith', 'begins with the text, or with one of a list of texts', { $startsWith: 'de' }, 'de-AT'],
    ['$endsWith', 'ends with it', { $endsWith: ['@example.com', '@example.org'] }, 'ada@example.com'],
    ['$contains', 'has it anywhere', { $contains: 'beta' }, 'public beta 2'],
    ['$startsWithi', 'as `$startsWith`; upper and lower case are the same', { $startsWithi: 'DE' }, 'de-AT'],
    [
      '$endsWithi',
      'as `$endsWith`; upper and lower case are the same',
      { $endsWithi: '@EXAMPLE.com' },
      'ada@example.com',
    ],
    ['$containsi', 'as `$contains`; upper and lower case are the same', { $containsi: 'BETA' }, 'public beta 2'],
    ['$regex', 'has a part that the regular expression describes', { $regex: '^user\\d{3}$' }, 'user123'],
    ['$regexi', 'as `$regex`; upper and lower case are the same', { $regexi: '(mobile|tablet)' }, 'Android Mobile'],
  ]),
  ...facts('GROUPS', [
    ['$inGroup', 'is in the list of ids of an audience', { $inGroup: 'Beta testers' }, 'ada'],
    ['$notInGroup', 'is not in the list of ids of an audience, or is missing', { $notInGroup: 'Beta testers' }, 'bo'],
  ]),
]
