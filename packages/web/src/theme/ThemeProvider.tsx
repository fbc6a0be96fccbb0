import { createContext, use, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { useForcedColours, useSystemDark } from './use-media'
import { GlobalStyle } from './global'
import { paletteOf, type Palette } from './palette'
import { presetNames, type PresetName } from './presets'
import { propertiesOf } from './tokens'

export const themeModes = ['light', 'dark', 'auto'] as const
export type ThemeMode = (typeof themeModes)[number]

interface Theme {
  mode: ThemeMode
  preset: PresetName
  palette: Palette
  setMode: (mode: ThemeMode) => void
  setPreset: (preset: PresetName) => void
}

const ThemeContext = createContext<Theme | null>(null)

/** Mode and preset stay in the browser. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useStored('theme-mode', themeModes, 'light')
  const [preset, setPreset] = useStored('theme-preset', presetNames, 'default')
  const systemDark = useSystemDark()
  // What keeps its colours, as a chart, lies on the system's page there.
  const forced = useForcedColours()
  const shown = mode === 'auto' || forced ? (systemDark ? 'dark' : 'light') : mode
  const palette = useMemo(() => paletteOf(shown, preset), [shown, preset])
  const theme = useMemo(
    () => ({ mode, preset, palette, setMode, setPreset }),
    [mode, preset, palette, setMode, setPreset],
  )
  // For the HTML of the next visit (theme.js).
  useEffect(() => localStorage.setItem(`theme-${shown}`, propertiesOf(palette)), [shown, palette])
  return (
    <ThemeContext value={theme}>
      <GlobalStyle $palette={palette} />
      {children}
    </ThemeContext>
  )
}

/** For canvases; everything else takes the tokens. */
export function useTheme(): Theme {
  const theme = use(ThemeContext)
  if (!theme) throw new Error('useTheme outside ThemeProvider')
  return theme
}

/** As every tab of the browser shows it. */
function useStored<T extends string>(key: string, allowed: readonly T[], fallback: T): [T, (value: T) => void] {
  const stored = useSyncExternalStore(listen, () => localStorage.getItem(key))
  const store = useMemo(
    () => (next: T) => {
      localStorage.setItem(key, next)
      // A browser tells the other tabs alone.
      dispatchEvent(new StorageEvent('storage', { key }))
    },
    [key],
  )
  return [allowed.find((one) => one === stored) ?? fallback, store]
}

function listen(changed: () => void): () => void {
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
}
