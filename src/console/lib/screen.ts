import type { ComponentType } from 'react'
import type { Area } from '../text/catalogue'
import type { ProjectHere } from './session'

/** The project whose screen is about to be shown. */
export type ScreenPlace = Pick<ProjectHere, 'path' | 'project' | 'environment'>

export interface ScreenModule {
  default: ComponentType
  /** Asks for what the screen reads first, before it is drawn. */
  askAhead?: (place: ScreenPlace) => void
}

/** A screen: its path below the place where it is mounted, how its code is fetched, and the areas of its texts. */
export type ScreenRoute = readonly [path: string, load: () => Promise<ScreenModule>, ...areas: Area[]]
