import { type Root, toRoot } from '../../base/lib/certificates'

export type AppleEnvironment = 'Production' | 'Sandbox' | 'Xcode' | 'LocalTesting'

/** `sandbox` is for Sandbox, Xcode and LocalTesting. `production` must contain the pinned root only. */
export interface TrustedRoots {
  production: readonly Root[]
  sandbox: readonly Root[]
  /** Each of them may sign itself what is bought in local testing, without a chain. */
  local: readonly Root[]
}

/** https://www.apple.com/certificateauthority/AppleRootCA-G3.cer, valid until 30 April 2039. */
const APPLE_ROOT_CA_G3 = [
  'MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1B',
  'cHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2',
  'WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24g',
  'QXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJy',
  'gRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZ',
  'XpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG',
  'CCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82N',
  'Qz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==',
].join('')

export const APPLE_ROOT_FINGERPRINT = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'

/** Throws when the certificate does not match its fingerprint, which means that the source was changed by mistake. */
export function pinnedRoot(base64: string, fingerprint: string): Root {
  const root = toRoot(Buffer.from(base64, 'base64'))
  if (root?.fingerprint !== fingerprint) throw new Error(`The embedded root certificate is not ${fingerprint}`)
  return root
}

const appleRoot = pinnedRoot(APPLE_ROOT_CA_G3, APPLE_ROOT_FINGERPRINT)

/** The pinned root is trusted in every environment, the `extra` roots in all but Production. */
export const trustedRoots = (extra: readonly Root[] = []): TrustedRoots => ({
  production: [appleRoot],
  sandbox: [appleRoot, ...extra],
  local: extra,
})

/** The roots of an environment. `testRoot`, that of a project's test store, is trusted in all but Production. */
export function rootsFor(
  roots: TrustedRoots,
  environment: AppleEnvironment,
  testRoot: Root | null = null,
): readonly Root[] {
  if (environment === 'Production') return roots.production
  return testRoot ? [...roots.sandbox, testRoot] : roots.sandbox
}
