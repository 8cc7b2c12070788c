import { netOfPayers } from '../../figures/people'
import { askedChart, peopleChart } from '../asked'
import { inGroup } from '../chart'
import { countChart, perHeadChart } from '../counted-people'
import { activeSubscriberRows, customerRows } from '../customers'
import { ltvValues, readAllNets } from '../lifetime-values'
import { countNewPeople, newRows } from '../new-people'

/** Of subscribers. */
export const PEOPLE = inGroup('people', [
  perHeadChart({
    id: 'arpu',
    title: 'Revenue of an active subscriber',
    unit: 'USD',
    definition:
      'Net revenue of the period by the subscribers who had a paid subscription at any time of it. It can be high where many buy without a subscription. An average has no rows.',
    formula: 'net ÷ active subscribers',
    question: 'ACTIVE',
    rows: {},
  }),
  perHeadChart({
    id: 'arppu',
    title: 'Revenue of a paying subscriber',
    unit: 'USD',
    definition:
      'Net revenue of the period by the subscribers who were charged more than nothing in it. An average has no rows.',
    formula: 'net ÷ paying subscribers',
    question: 'PAYING',
    rows: {},
  }),
  countChart({
    id: 'active-subscribers',
    title: 'Active subscribers',
    unit: 'count',
    definition: 'Subscribers who had a paid subscription at any time of the period, each counted once.',
    formula: 'number of subscribers with a paid subscription',
    question: 'ACTIVE',
    rows: { value: activeSubscriberRows },
  }),
  countChart({
    id: 'paying-subscribers',
    title: 'Paying subscribers',
    unit: 'count',
    definition: 'Subscribers who were charged more than nothing in the period, each counted once.',
    formula: 'number of subscribers with a charge above zero',
    question: 'PAYING',
    rows: { value: customerRows('PAYING') },
  }),
  countChart({
    id: 'new-customers',
    title: 'New customers',
    unit: 'count',
    definition:
      'Subscribers who were charged more than nothing in the period and never before it. With a filter or in a group only the charges of that count.',
    formula: 'number of subscribers with their first charge above zero',
    question: 'NEW',
    rows: { value: customerRows('NEW') },
  }),
  peopleChart({
    id: 'ltv',
    title: 'Lifetime value of those who paid',
    unit: 'USD',
    definition:
      'Of everyone who was charged more than nothing in the period: all that they have paid until now less what they got back. median is the middle value, or the mean of the two in the middle; p90 the smallest value that nine in ten do not exceed. In a project with more than 20,000 charges it is computed at most once an hour, because every charge changes the past of its payer; the chart says when. Averages have no rows.',
    formula: 'mean, median and 90th percentile of lifetime net',
    valueNames: ['mean', 'median', 'p90'],
    askCell: async (handle, scope, cell) => ltvValues(await netOfPayers(handle, scope, cell)),
    isOfLives: true,
    askAll: readAllNets,
    rows: {},
  }),
  askedChart({
    id: 'new-subscribers',
    title: 'New subscribers',
    unit: 'count',
    definition:
      'People who were seen for the first time in the period: by a device, your server, a store message or an import, which brings the date with it. One that is merged with another later still counts. Who bought only in the sandbox counts there, everybody else in production.',
    formula: 'number of people by the time they were first seen',
    filters: ['environment'],
    valueNames: ['value'],
    askCell: async (handle, scope, cell) => ({ value: (await (await countNewPeople(handle, scope, [cell]))[0]) ?? 0 }),
    rows: { value: newRows },
  }),
])
