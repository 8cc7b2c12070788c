import { join } from 'node:path'

type Manifests = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A part of the executable that is loaded at its first use: members of manifests, by their files (`build-later.ts`). */
export const loadPart = (part: string): Manifests => require(join(import.meta.dir, `${part}.js`)).manifests
