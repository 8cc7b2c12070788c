import type { ScreenRoute } from '../../lib/screen'

const signUp = () => import('./sign-up')
const verifyEmail = () => import('./verify-email')
const resetPassword = () => import('./reset-password')

export const routes: readonly ScreenRoute[] = [
  ['/sign-in', () => import('./sign-in'), 'signIn'],
  ['/sign-up', signUp, 'signIn'],
  ['/setup/:token', signUp, 'signIn'],
  ['/verify-email', verifyEmail, 'signIn'],
  ['/verify-email/:token', verifyEmail, 'signIn'],
  ['/reset-password', resetPassword, 'signIn'],
  ['/reset-password/:token', resetPassword, 'signIn'],
  ['/join/:token', () => import('./join'), 'signIn'],
  ['/sign-out', () => import('./sign-out'), 'signIn'],
  ['/welcome', () => import('./welcome'), 'signIn'],
]
