import type { ValueName, Values } from './model'

/** Numbers of subscriptions in each status, and of those that are to renew, as sums of what entered and left. */
export const PHASE_STOCKS = {
  active: { active: 1 },
  grace: { graceIn: 1, graceRecovered: -1, graceLost: -1 },
  retry: { billingIn: 1, billingRecovered: -1, billingLost: -1, graceIn: -1, graceRecovered: 1, graceLost: 1 },
  /** In a grace period or in billing retry. */
  troubled: { billingIn: 1, billingRecovered: -1, billingLost: -1 },
  /** Active, or in one of these two. */
  billed: { active: 1, billingIn: 1, billingRecovered: -1, billingLost: -1 },
  paused: { paused: 1 },
  expired: {
    ...{ endVoluntary: 1, endBilling: 1, endPrice: 1, endUnavailable: 1, endDeveloper: 1 },
    ...{ endReplaced: 1, endUnknown: 1, expiredOut: -1 },
  },
  refunded: { endRefund: 1, refundOut: -1 },
  renewing: { renewing: 1 },
} satisfies Record<string, { readonly [Name in ValueName]?: number }>

export type PhaseStock = keyof typeof PHASE_STOCKS
export type PhaseStocks = Record<PhaseStock, number>

export const PHASE_STOCK_NAMES = Object.keys(PHASE_STOCKS) as PhaseStock[]

/** What some values add to a stock. */
export const addedTo = (stock: PhaseStock, values: Values): number =>
  Object.entries(PHASE_STOCKS[stock]).reduce(
    (sum, [name, weight]) => sum + weight * (values[name as ValueName] ?? 0),
    0,
  )

export const NO_PHASE_STOCKS = Object.fromEntries(PHASE_STOCK_NAMES.map((name) => [name, 0])) as PhaseStocks

export const addPhases = (stocks: PhaseStocks, values: Values): PhaseStocks =>
  Object.fromEntries(PHASE_STOCK_NAMES.map((name) => [name, stocks[name] + addedTo(name, values)])) as PhaseStocks
