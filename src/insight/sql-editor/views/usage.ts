import { DAY } from '../../../base/lib/clock'
import { SUBJECT_OF_KEY } from '../../telemetry/pack-key'
import { SESSION_EVENT_TYPES } from '../../telemetry/session-event'
import type { View, ViewColumn } from './model'

type Type = ViewColumn['type']

const column = (name: string, type: Type, sqlite: string, postgres = sqlite, clickhouse = postgres): ViewColumn => ({
  name,
  type,
  sql: (dialect) => ({ sqlite, postgres, clickhouse })[dialect],
})

/** A number of an event; those that are 0 are left out at its end (`pack-text.ts`). */
const number = (place: number) => ({
  sqlite: `coalesce(json_extract(e.value, '$[${place}]'), 0)`,
  postgres: `coalesce(cast(e.value ->> ${place} as bigint), 0)`,
  clickhouse: `JSONExtractInt(e, ${place + 1})`,
})
const [type, at, duration, version] = [number(0), number(1), number(2), number(3)]

const occurredAt = (ms: string): string => `(p.day * ${DAY} + ${ms})`

const typeName = (place: string) =>
  `(case ${place} ${SESSION_EVENT_TYPES.map((name, index) => `when ${index} then '${name}'`).join(' ')} end)`

const versionPart = (name: string, part: 0 | 1): ViewColumn =>
  column(
    name,
    'text',
    `json_extract(p.versions, '$[' || ${version.sqlite} || '][${part}]')`,
    `(cast(p.versions as jsonb) -> cast(${version.postgres} as integer) ->> ${part})`,
    `JSONExtract(p.versions, ${version.clickhouse} + 1, ${part + 1}, 'Nullable(String)')`,
  )

const { divisor, modulus } = SUBJECT_OF_KEY

/** Sessions are stored packed (`telemetry/pack.ts`); the database takes the packs apart. */
export const sessions: View = {
  name: 'sessions',
  description: 'What apps reported of their sessions: one row for each open, background and close',
  columns: [
    column('subscriber_id', 'text', 'j.subscriber_id'),
    column('type', 'text', typeName(type.sqlite), typeName(type.postgres), typeName(type.clickhouse)),
    column('day', 'time', `(p.day * ${DAY})`),
    column('occurred_at', 'time', occurredAt(at.sqlite), occurredAt(at.postgres), occurredAt(at.clickhouse)),
    column('duration_ms', 'integer', duration.sqlite, duration.postgres, duration.clickhouse),
    versionPart('app_version', 0),
    versionPart('sdk_version', 1),
  ],
  from: (dialect, project) => {
    const parts = dialect === 'sqlite' ? 'json_each(p.events)' : 'jsonb_array_elements(cast(p.events as jsonb))'
    if (dialect === 'clickhouse') return packsOnClickhouse(project)
    const subject = `j.number = (p.key / ${divisor}) % ${modulus} and j.project_id = ${project}`
    return `session_projects as o join session_packs as p on p.project = o.number join session_subjects as j on ${subject} join ${parts} as e on 1 = 1 where o.project_id = ${project}`
  },
}

const packsOnClickhouse = (project: string): string =>
  `session_projects as o join session_packs as p on p.project = o.number join session_subjects as j on j.number = intDiv(p.key, ${divisor}) % ${modulus} array join JSONExtractArrayRaw(p.events) as e where o.project_id = ${project} and j.project_id = ${project}`

const ofSession = (name: string, type: Type, place = name): ViewColumn =>
  column(name, type, `f.${place}`, `f.${place}`, `cast(null as Nullable(${type === 'text' ? 'String' : 'Int64'}))`)

/** Sessions of funnels are not copied to ClickHouse, so there are no rows there. */
export const funnelSessions: View = {
  name: 'funnel_sessions',
  description: 'Visits of web funnels, without answers',
  columns: [
    ofSession('id', 'text'),
    ofSession('funnel_id', 'text'),
    ofSession('status', 'text', 'state'),
    ofSession('subscriber_id', 'text'),
    ofSession('started_at', 'time'),
    ofSession('paid_at', 'time'),
    ofSession('completed_at', 'time'),
  ],
  from: (dialect, project) =>
    dialect === 'clickhouse'
      ? '(select 1 as one) as empty where 1 = 0'
      : `funnel_sessions as f where f.project_id = ${project}`,
}
