import { sha256Hex } from '../../../base/lib/hash'
import type { ImportProof } from '../tables'

/** Identifies an anchor within its job: two people may bring the same proof, and then both are asked about. */
export const anchorKeyOf = (subscriberId: string, proof: ImportProof): string =>
  `${proof.kind}:${sha256Hex(`${subscriberId}|${textOf(proof)}`)}`

function textOf(proof: ImportProof): string {
  switch (proof.kind) {
    case 'RECEIPT':
      return proof.jws
    case 'PURCHASE_TOKEN':
      return proof.token
    default:
      return proof.id
  }
}
