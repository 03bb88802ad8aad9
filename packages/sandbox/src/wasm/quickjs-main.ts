// The walled process that runs JavaScript without an operating system's sandbox; see `../wasm.ts`.
import { openChannel } from "./channel.ts";
import { loadGuestModules, toScripts } from "./guest-sources.ts";
import { QuickJsGuest } from "./quickjs-guest.ts";
import { sealHost } from "./seal-host.ts";

const channel = openChannel();
const job = channel.receiveJob();
const guest = await QuickJsGuest.create(job, loadGuestModules(), (descriptor, text) => channel.print(descriptor, Buffer.from(text)));
const scripts = toScripts(job.files);
const end = sealHost();
channel.awaitStart();
channel.report(guest.run(scripts));
end(0);
