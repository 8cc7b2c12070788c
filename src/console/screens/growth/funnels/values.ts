import { fieldsOf } from '../../../../core/funnel/way'
import type { FunnelState } from './model'

/** What texts may insert: answers, the score, the parameters of the address, and prices of packages that pages name. */
export const valuesOf = ({ pages, settings }: FunnelState): string[] => [
  ...pages
    .flatMap((page) => fieldsOf(page).filter((field) => field.sensitive !== true))
    .map(({ id }) => `answer.${id}`),
  ...(pages.some((page) => page.fields.length > 0) ? ['answer.score'] : []),
  ...(settings.queryParameters ?? []).map((name) => `query.${name}`),
  ...packagesIn(pages).flatMap((name) => PRICES.map((part) => `price.${name}.${part}`)),
]

const PRICES = ['total', 'perMonth', 'perDay', 'trialDays'] as const

const packagesIn = (pages: FunnelState['pages']): string[] => [
  ...new Set(
    pages.flatMap(({ blocks = [] }) =>
      blocks.flatMap((block) =>
        block.type === 'plans' && block.props.packages !== 'offering' ? [...block.props.packages] : [],
      ),
    ),
  ),
]
