import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { operator } from '../../projects/doors/operator'
import { getSdkDoorView, listSdkCalls, listSdkDevices, saveSdkDoor } from './admin'
import { SdkDoorBody, SdkDoorView, SdkSeenView, toSdkCallView, toSdkDeviceView } from './operator-wire'

const strict = { additionalProperties: false } as const
const tags = ['Former SDK']
const answer = Type.Object({ data: SdkDoorView }, strict)

/** The settings for apps built with another vendor's SDK, and what was seen of them. */
export const sdkDoorOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(settingsRoute(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get('/sdk-door', async ({ project }) => ({ data: await getSdkDoorView(ctx, project.id) }), {
      response: answer,
      detail: { tags, summary: 'Settings for apps on the former SDK', operationId: 'getSdkDoor' },
    })
    .get(
      '/sdk-door/calls',
      async ({ project: { id } }) => ({
        data: {
          calls: (await listSdkCalls(ctx, id)).map(toSdkCallView),
          devices: (await listSdkDevices(ctx, id)).map(toSdkDeviceView),
          vendorEventsBy: 'SDK_VERSION' as const,
        },
      }),
      {
        response: Type.Object({ data: SdkSeenView }, strict),
        detail: {
          tags,
          summary: 'Calls and devices of the former SDKs in the last 30 days',
          description:
            'Refused calls are counted too, where their key is one of the project. Devices are counted by keyed hashes of ids.',
          operationId: 'listSdkDoorCalls',
        },
      },
    )

const settingsRoute = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' }).put(
    '/sdk-door',
    async ({ project, actor, body, expected }) => {
      await saveSdkDoor(ctx, { projectId: project.id, actor }, body, expected)
      return { data: await getSdkDoorView(ctx, project.id) }
    },
    {
      body: SdkDoorBody,
      response: answer,
      detail: { tags, summary: 'Change the settings for apps on the former SDK', operationId: 'putSdkDoor' },
    },
  )
