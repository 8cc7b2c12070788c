import type { FaceRow } from './queries'

/** Of a face (wire 6). */
export const MAX_FACE_BYTES = 2 * 1024 * 1024
/** Of all families of a project together (wire 6). */
export const MAX_FACES = 24
export const MAX_FAMILY_NAME = 120

/** The forms of a face that are stored: as it was uploaded, whole as WOFF2, and its Latin letters as WOFF2. */
export type FaceForm = 'original' | 'woff2' | 'latin.woff2'

/** The folder of the files of a face. No part of it comes from a request. */
export const folderOf = ({ projectId, id }: Pick<FaceRow, 'projectId' | 'id'>): string => `fonts/${projectId}/${id}`

export const keyOf = (row: Pick<FaceRow, 'projectId' | 'id'>, form: FaceForm): string => `${folderOf(row)}/${form}`

/** The path at which pages load a face. Its bytes never change, so it can be kept for ever. */
export const facePath = (
  { projectId, id, contentHash }: Pick<FaceRow, 'projectId' | 'id' | 'contentHash'>,
  form: Exclude<FaceForm, 'original'>,
): string => `/assets/${projectId}/fonts/${id}/${contentHash}.${form}`
