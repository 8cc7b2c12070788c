/** What stands above every screen: the palette, the list of shortcuts, the sign-in after a session has ended. */
export function Overlays() {
  return null
}
