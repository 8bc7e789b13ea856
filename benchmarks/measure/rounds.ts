import type { Engine } from "../engines/engine.ts";
import { isOwn, type Line, type ScenarioResult, type Settings } from "../report/results.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { seededRandom } from "../word/random.ts";
import { checkTexts } from "./check-texts.ts";
import { openSession, type Session } from "./session.ts";
import type { Runner } from "./start-process.ts";
import { spreadOf } from "./statistics.ts";
import type { Speed, SpeedTask } from "./task.ts";
import type { Workspace } from "./workspace.ts";

/** Compares the texts that all engines create in a scenario, and then measures the engines. */
export async function measureScenario(
  scenario: Scenario,
  engines: readonly Engine[],
  settings: Settings,
  runnerOf: (engine: Engine) => Runner,
  workspace: Workspace,
): Promise<ScenarioResult> {
  const sizes = await checkTexts(scenario, engines, settings.compared, runnerOf, workspace);
  const rounds = await measureRounds(scenario, engines, settings, runnerOf, workspace);
  const [baseline] = engines
    .filter(({ title }) => !isOwn(title))
    .toSorted((a, b) => medianOf(a, rounds) - medianOf(b, rounds));
  if (baseline === undefined) throw new Error(`No other engine supports '${scenario.name}'.`);
  return {
    name: scenario.name,
    title: scenario.title,
    description: scenario.description,
    baseline: baseline.title,
    lines: engines.map((engine) => lineOf(engine, baseline, rounds, sizes.get(engine.name) ?? 0)),
  };
}

/** Warms up all engines. Then measures all of them in each round, so that results within a round are comparable. */
async function measureRounds(
  scenario: Scenario,
  engines: readonly Engine[],
  { rounds, warmUpMs, windowMs, fewest }: Settings,
  runnerOf: (engine: Engine) => Runner,
  workspace: Workspace,
): Promise<Map<string, Speed>[]> {
  const sessions = new Map<string, Session>();
  try {
    for (const engine of engines) {
      const files = await workspace.filesFor(scenario, engine);
      const task: SpeedTask = {
        task: "speed",
        engine: engine.name,
        ...files,
        warmUpMs,
        windowMs,
        fewest,
      };
      sessions.set(engine.name, await openSession(task, runnerOf(engine)));
    }
    const measured: Map<string, Speed>[] = [];
    for (let round = 0; round < rounds; round++) {
      const speeds = new Map<string, Speed>();
      for (const [name, session] of shuffled([...sessions], round)) {
        speeds.set(name, await session.measure());
      }
      measured.push(speeds);
    }
    return measured;
  } finally {
    for (const session of sessions.values()) await session.close();
  }
}

type Rounds = readonly ReadonlyMap<string, Speed>[];

function speedsOf({ name }: Engine, rounds: Rounds): Speed[] {
  return rounds.flatMap((speeds) => {
    const speed = speeds.get(name);
    return speed === undefined ? [] : [speed];
  });
}

function medianOf(engine: Engine, rounds: Rounds): number {
  return spreadOf(speedsOf(engine, rounds).map(({ cpuMs }) => cpuMs)).median;
}

function lineOf(engine: Engine, baseline: Engine, rounds: Rounds, bytes: number): Line {
  const own = speedsOf(engine, rounds);
  const others = speedsOf(baseline, rounds);
  return {
    engine: engine.title,
    cpuMs: spreadOf(own.map(({ cpuMs }) => cpuMs)),
    ratio: spreadOf(own.map(({ cpuMs }, round) => (others[round]?.cpuMs ?? Number.NaN) / cpuMs)),
    bytes,
    peakMb: Math.max(...own.map(({ peakMb }) => peakMb)),
  };
}

/**
 * Returns the items in random order. Each round has a different order, so that other work on the machine affects all
 * engines.
 */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const rest = [...items];
  return items.flatMap(() => rest.splice(random.below(rest.length), 1));
}
