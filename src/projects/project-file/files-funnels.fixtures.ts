import fc from 'fast-check'

type Members = Record<string, unknown>

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const SLEEP = { id: 'sleep', label: { tr: 'Uyku', en: 'Sleep' } }
const WHEN = [{ field: 'goal', op: 'in', value: ['sleep', 7] }]

const pages = fc.constantFrom<Members[]>(
  [{ id: 'a', type: 'loader' }],
  [
    { id: 'a', type: 'info', title: { en: '007' }, next: { default: 'b' } },
    { id: 'b', type: 'success', next: {} },
  ],
  [
    {
      id: 'q',
      type: 'question',
      title: { tr: 'Hedefin?', en: 'What is your goal?' },
      fields: [
        { id: 'goal', kind: 'single', required: true, options: [SLEEP] },
        { id: 'born', kind: 'date', required: false, min: '1900-01-01' },
      ],
      next: { rules: [{ match: 'any', when: WHEN, to: 'mail' }], default: null },
    },
    { id: 'mail', type: 'email', next: { rules: [], default: 'q' } },
  ],
  [
    {
      id: 'shown',
      type: 'question',
      fields: [{ id: 'weight', kind: 'weight', min: 30.5, attribute: 'weight', sensitive: true }],
      blocks: [
        { id: 'head', type: 'heading', props: { text: { tr: '1e3', en: 'Hello {{answer.weight|you}}' } } },
        {
          id: 'box',
          type: 'stack',
          props: { direction: 'row', gap: 8, children: [{ id: 'input', type: 'field', props: { fieldId: 'weight' } }] },
          visibleWhen: { match: 'any', when: [{ field: 'weight', op: 'is_empty' }] },
          style: { align: 'center', space: 0 },
        },
      ],
    },
  ],
)

const theme = fc.constantFrom<Members>(
  { accent: '#d97757' },
  { colors: { text: '#000000', accent: '#0A0b0c' }, radius: 0, fonts: { body: 'system' } },
  { dark: {}, density: 'compact' },
)

const settings = (offerings: readonly string[]) =>
  fc.record(
    {
      ...(offerings.length > 0 && { offering: fc.constantFrom(...offerings) }),
      progress: fc.boolean(),
      queryParameters: fc.constantFrom([], ['utm_source']),
      success: fc.constantFrom({ mode: 'claim' }, { mode: 'redirect', url: 'https://example.com/done' }),
    },
    { requiredKeys: [] },
  )

const funnel = (text: fc.Arbitrary<string>, offerings: readonly string[]) =>
  fc.record({
    name: text,
    defaultLocale: fc.constant('en'),
    locales: optional(fc.constantFrom(['en'], ['tr', 'en'])),
    publish: optional(fc.boolean()),
    theme: optional(theme),
    settings: optional(settings(offerings)),
    pages,
  })

const variants = ['long', 'short'].map((funnelSlug) => ({ id: funnelSlug, name: 'V', weight: 0.5, funnel: funnelSlug }))
/** Its key is used by no other experiment, so the type of that key never changes. */
const SHOWS = { name: 'Shows', type: 'FUNNEL', variants }

function placement(audiences: readonly string[], targets: readonly unknown[]) {
  const target = fc.constantFrom('none', ...targets)
  const row = fc.record({ audience: fc.constantFrom('All users', ...audiences), target })
  return fc
    .record({
      name: fc.constantFrom('P', 'null'),
      isActive: optional(fc.boolean()),
      rows: fc.array(row, { maxLength: 3 }),
    })
    .chain((made) =>
      optional(target).map((last) =>
        last === undefined ? made : { ...made, rows: [...made.rows, { audience: null, target: last }] },
      ),
    )
}

/** Adds funnels, placements and a funnel experiment to the sections of targeting. All references exist. */
export const funnelSections = (
  text: fc.Arbitrary<string>,
  offerings: readonly string[],
  targeting: Members,
): fc.Arbitrary<Members> =>
  fc.dictionary(fc.constantFrom('long', 'short', '007'), funnel(text, offerings), { maxKeys: 3 }).chain((funnels) => {
    const shows = 'long' in funnels && 'short' in funnels ? { shows: SHOWS } : {}
    const targets = [
      ...Object.keys(funnels).map((slug) => ({ funnel: slug })),
      ...Object.keys(shows).map((key) => ({ experiment: key })),
      ...offerings.map((identifier) => ({ offering: identifier })),
    ]
    const audiences = Object.keys(targeting.audiences as Members)
    const experiments = { ...(targeting.experiments as Members), ...shows }
    return fc
      .dictionary(fc.constantFrom('onboarding', 'x.y'), placement(audiences, targets), { maxKeys: 2 })
      .map((placements) => ({ ...targeting, experiments, funnels, placements }))
  })
