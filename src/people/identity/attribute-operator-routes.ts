import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { recordAudit } from '../../projects/audit/audit'
import { requireRevision, withRevision } from '../../projects/audit/revisions'
import { type Operator, operator } from '../../projects/doors/operator'
import { checkAttributes, setAttributes } from '../subscribers/attributes-service'
import { PersonParams } from '../subscribers/operator-wire'
import { assertLive, getPerson, type SubscriberRow } from '../subscribers/service'
import { toSubscriberView } from '../subscribers/wire'
import { AttributesBody, EditedSubscriber } from './operator-wire'

const tags = ['People']
const strict = { additionalProperties: false } as const

/** Attributes of a person, changed by people of the dashboard. */
export const attributeOperatorRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write' }).patch(
    '/subscribers/:id/attributes',
    async ({ project, params, body: { attributes }, actor, expected }) => {
      checkAttributes(ctx, project, attributes)
      const person = assertLive(await getPerson(ctx, project.id, params.id))
      const record = recorder({ actor, expected })
      const row = await setAttributes(ctx, project, person, attributes, { source: 'dashboard', record })
      return { data: await withRevision(ctx, project.id, toSubscriberView(row)) }
    },
    {
      params: PersonParams,
      body: AttributesBody,
      response: Type.Object({ data: EditedSubscriber }, strict),
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Change attributes of a subscriber',
        description: 'The given attributes are set, null deletes one, and the others stay.',
        operationId: 'updateSubscriberAttributes',
      },
    },
  )

/** The audit row has only the names: it stays when the person is erased, so it must not contain their data. */
const recorder =
  ({ actor, expected }: Pick<Operator, 'actor' | 'expected'>) =>
  async (tx: Tx, { id, projectId, attributes }: SubscriberRow, changed: readonly string[]): Promise<void> => {
    await requireRevision(tx, projectId, id, expected)
    if (changed.length === 0) return
    const entry = {
      action: 'subscriber.attributes',
      target: { type: 'subscriber', id },
      before: { present: changed.filter((name) => Object.hasOwn(attributes, name)) },
      after: { changed },
    }
    await recordAudit(tx, projectId, actor, [entry])
  }
