import { slice } from '../../base/slice'
import { fontCommand } from './command'
import { FontThread } from './font-thread'
import { fontOperatorRoutes } from './operator-routes'
import { fontRoutes, publicFontRoutes } from './routes'
import { fontFiles } from './service'
import { fontTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    ffm: string
    ffc: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    /** Makes WOFF2 of fonts. */
    fontThread: FontThread
  }
}

/** Fonts of funnels and apps. */
export const fonts = slice({
  name: 'fonts',
  tables: fontTables,
  state: { fontThread: () => new FontThread() },
  tags: [{ name: 'Fonts', description: 'Font families of funnels and their faces.' }],
  routes: fontRoutes,
  publicRoutes: publicFontRoutes,
  hostRoutes: publicFontRoutes,
  operatorRoutes: fontOperatorRoutes,
  commands: [fontCommand],
  namedFiles: fontFiles,
  filePaths: [/^\/dashboard\/projects\/[^/]+\/fonts\/families\/[^/]+\/faces$/],
  cachedRows: { fontFamilies: 'NOBODY', fontFaces: 'NOBODY' },
  personalData: { fontFamilies: 'NOTHING', fontFaces: 'NOTHING' },
})
