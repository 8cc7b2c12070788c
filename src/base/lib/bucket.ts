import { bucketBy, HOLDOUT_SALT, isInHoldout } from '../../core/bucket/bucket'

// One digest buffer for the whole process. This is safe because nothing is awaited between the hash and the read.
const digest = new Uint8Array(32)
const view = new DataView(digest.buffer)

/** The bucket of an id under a salt, by the SHA-256 of Bun. */
export const bucket = bucketBy((text) => {
  Bun.SHA256.hash(text, digest)
  return view.getUint32(0)
})

/** Whether a subscriber is held out of all experiments; the percentage is 0..100. */
export const isHeldOut = (bucketingId: string, percentage: number): boolean =>
  percentage > 0 && isInHoldout(bucket(bucketingId, HOLDOUT_SALT), percentage)
