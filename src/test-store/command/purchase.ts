import { CommandFailure, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { conflict } from '../../projects/project/edit'
import type { ProjectApi } from '../../projects/project/project-api'
import * as orders from '../dashboard/simulation-orders'
import { Unposted } from '../dashboard/simulation-wire'
import { toPrice, toStore, type Values } from './options'
import { type Output, order, PATH, report } from './report'

export async function purchase(project: ProjectApi, io: Output, device: string, values: Values): Promise<number> {
  if (values.product === undefined) throw new UsageError('simulate purchase needs --product')
  const body = {
    ...{ action: 'purchase', device, product: values.product, price: toPrice(values) },
    ...{ store: toStore(values.store) ?? 'ios', with: values.with, trial: values.trial, commitment: values.commitment },
  }
  if (!values.print) return report(io, values.json, await order(project, body))
  if (body.store === 'payment')
    throw new CommandFailure('HTTP_ERROR', 'No app posts what is bought on the web; leave --print out.')
  io.out(JSON.stringify(await project.call('POST', PATH, { data: Unposted, body: { ...body, posted: false } })))
  return 0
}

const usual = (device: string, product: string) => ({ action: 'purchase', device, product }) as const

/** Makes one purchase at the test store and records it; the demo starts with it. */
export async function recordPurchase(ctx: Context, projectId: string, device: string, product: string): Promise<void> {
  const made = await orders.purchase(ctx, await ctx.state.projects.get(projectId), usual(device, product))
  if (!made.ok) throw conflict(made.why)
}

/** Makes a purchase at the test store without recording it, and returns the request body for curl. */
export async function orderBody(ctx: Context, projectId: string, device: string, product: string): Promise<string> {
  return JSON.stringify(await orders.unposted(ctx, await ctx.state.projects.get(projectId), usual(device, product)))
}
