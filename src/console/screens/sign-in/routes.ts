import type { ScreenRoute } from '../../lib/screen'

const signUp = () => import('./sign-up')
const verifyEmail = () => import('./verify-email')
const resetPassword = () => import('./reset-password')

export const routes: readonly ScreenRoute[] = [
  ['/sign-in', () => import('./sign-in')],
  ['/sign-up', signUp],
  ['/setup/:token', signUp],
  ['/verify-email', verifyEmail],
  ['/verify-email/:token', verifyEmail],
  ['/reset-password', resetPassword],
  ['/reset-password/:token', resetPassword],
  ['/join/:token', () => import('./join')],
  ['/sign-out', () => import('./sign-out')],
  ['/welcome', () => import('./welcome')],
]
