import type { Chart } from '../chart'
import { activeSubscribers } from '../list/active-subscribers'
import { arppu } from '../list/arppu'
import { arpu } from '../list/arpu'
import { ltv } from '../list/ltv'
import { newCustomers } from '../list/new-customers'
import { newSubscribers } from '../list/new-subscribers'
import { payingSubscribers } from '../list/paying-subscribers'

/** Of subscribers. */
export const PEOPLE: readonly Chart[] = [
  arpu,
  arppu,
  activeSubscribers,
  payingSubscribers,
  newCustomers,
  ltv,
  newSubscribers,
]
