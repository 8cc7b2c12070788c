import fc from 'fast-check'

type Members = Record<string, unknown>

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const rules = fc.constantFrom<Members[]>(
  {},
  { country: 'TR' },
  { 'svc.isTrial': 'true', z: { $in: ['b', 'a', null] } },
  { $or: [{ b: { $gt: 1.5 } }, { $not: { a: true } }], age: { $gte: 18, $lt: 65 } },
)

const audience = (text: fc.Arbitrary<string>) => fc.record({ description: optional(text), rules })

/** The name of an audience in the file, or of the default audience; sometimes none. */
const audienceOf = (names: readonly string[]) => optional(fc.constantFrom('All users', ...names))

const flag = (type: string, value: fc.Arbitrary<unknown>, audiences: readonly string[]) => {
  const rule = fc.record({
    audience: audienceOf(audiences),
    conditions: optional(rules),
    value,
    rollout: optional(fc.constantFrom(0, 0.1, 1 / 3, 1)),
  })
  const environment = fc.record({
    enabled: optional(fc.boolean()),
    default: value,
    rules: optional(fc.array(rule, { maxLength: 3 })),
  })
  return fc.record({
    type: fc.constant(type),
    environments: fc.record({ PROD: environment, DEVELOPMENT: optional(environment) }),
  })
}

/** The type of each key is fixed. Otherwise most second files would be refused. */
const flags = (text: fc.Arbitrary<string>, json: fc.Arbitrary<unknown>, audiences: readonly string[]) =>
  fc.record({
    switch: optional(flag('BOOLEAN', fc.boolean(), audiences)),
    '1e3': optional(flag('NUMBER', fc.constantFrom(0, 1, -1.5), audiences)),
    'a.b': optional(flag('STRING', text, audiences)),
    theme: optional(
      flag(
        'JSON',
        json.map((value) => value ?? {}),
        audiences,
      ),
    ),
  })

const experiment = (type: string, values: readonly unknown[], audiences: readonly string[]) => {
  const variants = values.map((value, index) => ({ id: `v${index}`, name: 'V', weight: 1 / values.length, value }))
  return fc.record({
    name: fc.constantFrom('E', '007'),
    type: fc.constant(type),
    audience: audienceOf(audiences),
    metrics: optional(fc.constantFrom(['purchase'], ['a', 'b'])),
    mutualExclusionGroup: optional(fc.constantFrom('g', 'h')),
    scheduledStartAt: optional(fc.constantFrom('2026-12-01T08:00:00Z', '2026-12-01T11:00:00.5+03:00')),
    variants: fc.constant(variants),
    status: optional(fc.constant('DRAFT')),
  })
}

const experiments = (audiences: readonly string[], offerings: readonly string[]) =>
  fc.record({
    layout: optional(experiment('FLAG', [{}, { b: [1, {}], a: null }, 'x'], audiences)),
    prices: offerings.length < 2 ? fc.constant(undefined) : optional(experiment('OFFERING', offerings, audiences)),
    runs: fc.constantFrom(undefined, {
      name: 'Runs',
      type: 'FLAG',
      status: 'RUNNING',
      variants: [1, 2].map((value) => ({ id: `v${value}`, name: 'V', weight: 0.5, value })),
    }),
  })

/** The sections of audiences, flags and experiments. All references exist. */
export const targetingSections = (
  text: fc.Arbitrary<string>,
  json: fc.Arbitrary<unknown>,
  offerings: readonly string[],
): fc.Arbitrary<Members> =>
  fc
    .dictionary(fc.constantFrom('Turkey', 'trial ends: soon', '007', 'null', '# x'), audience(text), { maxKeys: 4 })
    .chain((audiences) => {
      const names = Object.keys(audiences)
      return fc.record({
        audiences: fc.constant(audiences),
        flags: flags(text, json, names),
        experiments: experiments(names, offerings),
      })
    })
