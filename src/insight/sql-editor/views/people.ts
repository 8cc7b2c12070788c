import { boolean, integer, json, text, time, type View, type ViewColumn } from './model'

const CLICKHOUSE_ATTRIBUTES =
  "concat('{', arrayStringConcat(arrayMap(a -> concat(toJSONString(a.1), ':', if(JSONExtractRaw(a.2, 'value') = '', 'null', JSONExtractRaw(a.2, 'value'))), JSONExtractKeysAndValuesRaw(attributes)), ','), '}')"

/** The values of the attributes without their sources and times. */
const attributes: ViewColumn = {
  name: 'attributes',
  type: 'json',
  sql: (dialect) => {
    if (dialect === 'clickhouse') return CLICKHOUSE_ATTRIBUTES
    return dialect === 'sqlite'
      ? "(select json_group_object(a.key, json_extract(a.value, '$.value')) from json_each(attributes) as a)"
      : "(select coalesce(jsonb_object_agg(a.key, a.value -> 'value'), cast('{}' as jsonb)) from jsonb_each(attributes) as a)"
  },
}

export const subscribers: View = {
  name: 'subscribers',
  description: 'Subscribers, without those that were merged into others or erased',
  columns: [
    text('id'),
    text('app_user_id'),
    attributes,
    json('access', 'told_access'),
    boolean('is_synthetic'),
    time('first_seen_at'),
    time('last_seen_at'),
    time('created_at'),
  ],
  from: (_dialect, project) =>
    `subscribers where project_id = ${project} and merged_into is null and erased_at is null`,
}

export const events: View = {
  name: 'events',
  description: 'The events of the project: what happened to subscribers, purchases, access and currencies',
  columns: [
    text('id'),
    text('type'),
    text('subscriber_id'),
    integer('seq'),
    text('app_user_id'),
    text('environment'),
    time('occurred_at'),
    time('recorded_at'),
    json('cause'),
    json('before', '"before"'),
    json('after', '"after"'),
    json('data'),
  ],
  from: (_dialect, project) => `events where project_id = ${project}`,
}

export const ledger: View = {
  name: 'ledger',
  description: 'The rows of the virtual currencies: amount, and balance after it',
  columns: [
    text('id', 'l.id'),
    text('subscriber_id', 'l.subscriber_id'),
    text('currency_id', 'l.currency_id'),
    {
      ...text('currency'),
      sql: (dialect) =>
        dialect === 'clickhouse'
          ? 'v.code'
          : '(select v.code from virtual_currencies as v where v.id = l.currency_id and v.project_id = l.project_id)',
    },
    integer('number', 'l.number'),
    text('type', 'l.type'),
    integer('amount', 'l.amount'),
    integer('balance', 'l.balance'),
    text('reference_type', 'l.reference_type'),
    text('reference_id', 'l.reference_id'),
    text('description', 'l.description'),
    time('created_at', 'l.created_at'),
  ],
  from: (dialect, project) => {
    const joined = ' left join virtual_currencies as v on v.id = l.currency_id and v.project_id = l.project_id'
    return `ledger as l${dialect === 'clickhouse' ? joined : ''} where l.project_id = ${project}`
  },
}

export const exposures: View = {
  name: 'exposures',
  description: 'Subscribers that have seen their variant of an experiment',
  columns: [
    text('experiment_id', 'a.experiment_id'),
    text('experiment_key', 'e.key'),
    text('experiment_name', 'e.name'),
    text('variant_id', 'a.variant_id'),
    text('subscriber_id', 'a.subscriber_id'),
    time('assigned_at', 'a.assigned_at'),
    time('exposed_at', 'a.exposed_at'),
    text('placement_id', 'a.placement_id'),
    text('platform', 'a.platform'),
    text('country', 'a.country'),
    time('converted_at', 'a.converted_at'),
    time('crossed_at', 'a.crossed_at'),
  ],
  from: (_dialect, project) =>
    `experiment_assignments as a join experiments as e on e.id = a.experiment_id and e.project_id = ${project} where a.project_id = ${project} and a.exposed_at is not null`,
}
