/** Sound and vibration, which browsers allow once the page was touched. */

type Audio = typeof AudioContext;
// Safari 14.0 has the name of before.
const Context = (): Audio | undefined =>
  window.AudioContext ?? (window as { webkitAudioContext?: Audio }).webkitAudioContext;

let audio: AudioContext | null = null;

addEventListener(
  'pointerdown',
  () => {
    try {
      const Made = Context();
      if (audio === null && Made !== undefined) audio = new Made();
      if (audio?.state === 'suspended') void audio.resume();
    } catch {
      // A telephone without sound.
    }
  },
  true,
);

/** Seconds from the start of each of the tones. */
const TONES = [0, 0.35, 0.7];

/** Three tones, and as many vibrations. */
export function alarm(): void {
  navigator.vibrate?.([300, 150, 300, 150, 300]);
  if (audio === null) return;
  for (const start of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + start;
    tone.frequency.value = 880;
    volume.gain.value = 0.4;
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.2);
  }
}
