import { type Check, type Examination, fail, ok } from '../cli/doctor'
import type { Config } from '../config'
import { BlobsUnavailable } from './blobs'
import { openBlobs } from './open'

/** Whether the folder or the bucket of `SVC_STORAGE_URL` can be used. */
export const blobExamination: Examination = {
  name: 'blobs',
  database: async ({ config }) => [await checkStorage(config)],
}

async function checkStorage(config: Config): Promise<Check> {
  const { storage } = config
  if (storage.kind === 'none')
    return ok('file storage', 'SVC_STORAGE_URL is off: nothing can be uploaded or made for download.')
  const place = storage.kind === 'folder' ? `The folder ${storage.path}` : `The bucket ${storage.bucket}`
  try {
    await openBlobs(config).check()
    return ok('file storage', `${place} can be used.`)
  } catch (error) {
    if (!(error instanceof BlobsUnavailable)) throw error
    return fail('file storage', `${place} cannot be used (${error.message}); correct SVC_STORAGE_URL or its rights.`)
  }
}
