import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { judgeAddress } from './address'
import { NameServers, serverAddress } from './dns'
import { seenCertificate } from './handshake'
import { beginning, heldLife, lifeAfter } from './lifecycle'
import { type AddressRecord, type CertificateState, type DomainLife, NO_CERTIFICATE, type Proof } from './model'
import { type DomainRow, findVerified } from './queries'
import { textName, textOf } from './view'
import { registerWallets } from './wallets'

/** What a check has learned outside of this server. */
export interface Found {
  proof: Proof
  seenTexts: string[] | null
  address: AddressRecord | null
  certificate: CertificateState
  wallets: DomainRow['wallets']
}

/** Asks name servers, the name itself and the payment provider, before the transaction of a check. */
export async function lookUp(ctx: Context, row: DomainRow, isAsked: boolean): Promise<Found> {
  const { config, clock } = ctx
  const { hostname, token } = row
  const names = new NameServers(config.domains.nameServers)
  const [seenTexts, seen, server] = await Promise.all([
    names.texts(textName(hostname)),
    names.address(hostname),
    serverAddress(config, names),
  ])
  const proof = seenTexts === null ? 'UNKNOWN' : seenTexts.includes(textOf(token)) ? 'SHOWN' : 'MISSING'
  const address = seen && judgeAddress(server, seen)
  const isHeld = await isHeldElsewhere(ctx, row)
  const isVerified = lifeOf(row, { proof, isAsked, isHeld }, clock.now()).status === 'VERIFIED'
  const handshake = { hostname, isLoopbackAllowed: config.isLoopbackAllowed, now: clock.now() }
  return {
    ...{ proof, seenTexts, address },
    certificate:
      isVerified && address?.ok ? await seenCertificate({ ...handshake, ips: seen?.ips ?? [] }) : NO_CERTIFICATE,
    wallets: isVerified ? await walletsOf(ctx, row) : null,
  }
}

async function walletsOf(ctx: Context, { projectId, hostname }: DomainRow): Promise<DomainRow['wallets']> {
  const project = await ctx.state.projects.find(projectId)
  return project && registerWallets(ctx, project, hostname)
}

interface Checked {
  proof: Proof
  isAsked: boolean
  /** Another project has proved the name. */
  isHeld: boolean
}

/** The life of a name after a check. */
export function lifeOf(row: DomainRow, { proof, isAsked, isHeld }: Checked, now: number): DomainLife {
  if (isHeld) return heldLife(row, now)
  return lifeAfter(isAsked && row.status === 'FAILED' ? beginning(now) : row, proof, now)
}

export async function isHeldElsewhere(handle: Handle, { id, hostname }: DomainRow): Promise<boolean> {
  const holder = await findVerified(handle, hostname)
  return holder !== null && holder.id !== id
}
