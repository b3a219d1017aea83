-- The dissector of Liven's datagrams for Wireshark and tshark: it knows every byte of docs/wire.md.
--
--     tshark -i lo -X lua_script:liven.lua -Y liven
--
-- It recognises a datagram by its first bytes, whatever its port. A datagram that differs from that page is
-- marked `liven.malformed`. Of an encrypted one it shows the header, the size and the trailer: Lua has no AEGIS-256,
-- and a capture needs no key. To see bodies, capture programs that run with `authentication = false`.

local liven = Proto("liven", "Liven multicast")

local TYPES = {
    [1] = "DATA", [2] = "REPAIR", [3] = "TOKEN", [4] = "ACK", [5] = "HIGH_WATER", [6] = "REQUEST",
    [7] = "STALE", [8] = "EVICTED", [9] = "FLOW", [10] = "HYBRID", [11] = "CALL",
}
local FRAMES = { [0] = "message", [1] = "fragment", [2] = "open", [3] = "stable", [4] = "empty" }
local STAGES = {
    [0] = "next in the partition", [1] = "back to its leader", [2] = "to the next partition's leader",
    [3] = "home",
}
local REQUESTS = {
    [0] = "pull from the hop before", [1] = "pull across partitions", [2] = "nobody of a partition has it",
    [3] = "the one of a partition lacks it",
}
local HEADER, TAG = 32, 16
local VERSION, ENCRYPTED = 2, 128
local SESSION, SEAL_TAG = 8, 32 -- the trailer of an encrypted datagram: the tag, then the session
-- The largest flags of a type, if it has any, and the length of its body, if that is fixed.
local FLAGS_MOST = { [1] = 7, [5] = 7, [11] = 1 }
local BODY = { [7] = 12, [8] = 12, [11] = 8 }

local field = {
    version = ProtoField.uint8("liven.version", "Version", base.DEC, nil, 127),
    type = ProtoField.uint8("liven.type", "Type", base.DEC, TYPES),
    flags = ProtoField.uint8("liven.flags", "Flags", base.HEX),
    key_id = ProtoField.uint8("liven.key_id", "Key id"),
    cluster = ProtoField.uint32("liven.cluster", "Cluster"),
    sender = ProtoField.uint32("liven.sender", "Sender"),
    incarnation = ProtoField.uint32("liven.incarnation", "Incarnation check", base.HEX),
    counter = ProtoField.uint64("liven.counter", "Counter"),
    view = ProtoField.uint64("liven.view", "Region view", base.HEX),
    encrypted = ProtoField.bool("liven.encrypted", "Encrypted", 8, nil, ENCRYPTED),
    ciphertext = ProtoField.bytes("liven.ciphertext", "Encrypted body"),
    session = ProtoField.bytes("liven.session", "Session"),
    tag = ProtoField.bytes("liven.tag", "Tag"),
    number = ProtoField.uint64("liven.number", "Packet number"),
    origin = ProtoField.uint32("liven.origin", "Origin"),
    frame = ProtoField.uint8("liven.frame", "Frame", base.DEC, FRAMES),
    group = ProtoField.uint64("liven.group", "Group"),
    message = ProtoField.uint64("liven.message", "Message number"),
    offset = ProtoField.uint64("liven.offset", "Offset"),
    total = ProtoField.uint64("liven.total", "Length of the whole message"),
    length = ProtoField.uint64("liven.length", "Length"),
    payload = ProtoField.bytes("liven.payload", "Payload"),
    told = ProtoField.uint64("liven.told", "Sender that is told"),
    meant = ProtoField.uint32("liven.meant", "Node that is told"),
    epoch = ProtoField.uint64("liven.epoch", "Epoch", base.HEX),
    older = ProtoField.uint64("liven.open.view", "Older view", base.HEX),
    older_last = ProtoField.uint64("liven.open.last", "Last number there"),
    round = ProtoField.uint64("liven.token.round", "Round", base.HEX),
    stage = ProtoField.uint8("liven.token.stage", "Stage", base.DEC, STAGES),
    token_flags = ProtoField.uint8("liven.token.flags", "Token flags", base.HEX),
    records = ProtoField.uint16("liven.token.records", "Records"),
    asked = ProtoField.uint16("liven.token.asked", "Requests because of it"),
    record = ProtoField.uint64("liven.record", "Record of sender"),
    record_flags = ProtoField.uint64("liven.record.flags", "Flags", base.HEX),
    purge = ProtoField.uint64("liven.record.purge", "Purge up to"),
    cut = ProtoField.uint64("liven.record.cut", "Cut"),
    before = ProtoField.uint64("liven.record.before", "Cut of the round before"),
    hi = ProtoField.uint64("liven.record.hi", "Highest"),
    contig = ProtoField.uint64("liven.contig", "Everything up to"),
    low = ProtoField.uint64("liven.low", "Seat that holds it back"),
    spans = ProtoField.string("liven.spans", "Numbers"),
    partition = ProtoField.uint64("liven.partition", "Partition"),
    known = ProtoField.uint64("liven.partitions", "Partitions told of, and 1"),
    ack_sender = ProtoField.uint64("liven.ack.sender", "Acknowledged sender"),
    request = ProtoField.uint8("liven.request", "Request", base.DEC, REQUESTS),
    first = ProtoField.uint64("liven.request.first", "First"),
    bitmap = ProtoField.bytes("liven.request.bitmap", "Bitmap"),
    pause = ProtoField.uint8("liven.flow.pause", "Pause"),
    credit = ProtoField.uint64("liven.flow.credit", "Credit"),
    entries = ProtoField.uint8("liven.entries", "Region views"),
    entry_flags = ProtoField.uint8("liven.entry.flags", "Flags there", base.HEX),
    entry_view = ProtoField.uint64("liven.entry.view", "Region view", base.HEX),
}
liven.fields = field

local malformed = ProtoExpert.new(
    "liven.malformed", "Not as docs/wire.md says", expert.group.MALFORMED, expert.severity.ERROR)
liven.experts = { malformed }

-- A reader of the bytes from `at` up to `last`; it stops once a byte was missing.
local Reader = {}
Reader.__index = Reader

function Reader.over(buffer, at, last)
    return setmetatable({ buffer = buffer, at = at, last = last, bad = false }, Reader)
end

function Reader:left()
    return self.last - self.at
end

-- The next `count` bytes as a range; nil beyond the end.
function Reader:take(count)
    if self.bad or count > self:left() then
        self.bad = true
        return nil
    end
    local range = self.buffer(self.at, count)
    self.at = self.at + count
    return range
end

function Reader:number(tree, what, count)
    local range = self:take(count)
    if not range then return nil end
    local item = tree:add(what, range)
    return count > 4 and range:uint64() or range:uint(), item
end

-- Seven bits a byte, lowest first. Returns the number and its range.
function Reader:varint()
    local start, value, shift = self.at, UInt64(0), 0
    while true do
        local range = self:take(1)
        if not range or shift > 63 then
            self.bad = true
            return UInt64(0), nil
        end
        local byte = range:uint()
        value = value:bor(UInt64(byte % 128):lshift(shift))
        shift = shift + 7
        if byte < 128 then
            return value, self.buffer(start, self.at - start)
        end
    end
end

function Reader:show(tree, what)
    local value, range = self:varint()
    if range then tree:add(what, range, value) end
    return value
end

-- A signed difference from `base`, in zigzag form.
function Reader:delta(base)
    local coded, range = self:varint()
    local half, odd = coded:rshift(1), coded:band(UInt64(1))
    return base + half:bxor(UInt64(0) - odd), range
end

function Reader:show_delta(tree, what, base)
    local value, range = self:delta(base)
    if range then tree:add(what, range, value) end
    return value
end

-- A list of ranges about `base`, as text such as "3-5, 9, nothing said above 40".
function Reader:spans(tree, name, base)
    local start, words = self.at, {}
    local head = self:varint():tonumber()
    local limit = head % 2 == 1 and self:delta(base) or nil
    local before = UInt64(0)
    for index = 1, math.floor(head / 2) do
        if self.bad then break end
        local first = index == 1 and self:delta(base) or before + self:varint()
        before = first + self:varint()
        words[#words + 1] = first == before and tostring(first) or tostring(first) .. "-" .. tostring(before)
    end
    if limit then words[#words + 1] = "nothing said above " .. tostring(limit) end
    if self.bad then return end
    local text = #words > 0 and table.concat(words, ", ") or "none"
    tree:add(field.spans, self.buffer(start, self.at - start), text):set_text(name .. ": " .. text)
end

local function read_open(reader, tree, last)
    local inner = Reader.over(reader.buffer, reader.at, last)
    local count = inner:varint():tonumber()
    for _ = 1, count do
        if inner.bad then break end
        inner:number(tree, field.older, 8)
        inner:show(tree, field.older_last)
    end
    reader.bad = reader.bad or inner.bad or inner.at ~= last
    reader.at = last
end

local function read_frame(reader, tree)
    local start = reader.at
    local kind, item = reader:number(tree, field.frame, 1)
    if not kind then return nil end
    if kind > 4 then
        reader.bad = true
        return nil
    end
    if kind == 2 then
        reader:show(item, field.epoch)
    elseif kind < 4 then
        reader:show(item, field.group)
        reader:show(item, field.message)
    end
    if kind == 1 then
        reader:show(item, field.offset)
        reader:show(item, field.total)
    end
    if kind < 3 then
        local length = reader:show(item, field.length):tonumber()
        if length > reader:left() then
            reader.bad = true
        elseif kind == 2 then
            read_open(reader, item, reader.at + length)
        elseif length > 0 then
            item:add(field.payload, reader:take(length))
        end
    end
    if not reader.bad then item:set_len(reader.at - start) end
    return FRAMES[kind]
end

local function read_frames(reader, tree)
    local seen = {}
    while reader:left() > 0 and not reader.bad do
        seen[#seen + 1] = read_frame(reader, tree)
    end
    return #seen > 3 and #seen .. " frames" or table.concat(seen, ", ")
end

local function has(flags, bit)
    return math.floor(flags / bit) % 2 == 1
end

local function read_record(reader, tree)
    local start = reader.at
    local sender, range = reader:varint()
    if not range then return end
    local item = tree:add(field.record, range, sender)
    local flags = reader:show(item, field.record_flags):tonumber()
    local purge = reader:show(item, field.purge)
    local cut = reader:show_delta(item, field.cut, purge)
    reader:show_delta(item, field.before, cut)
    reader:show_delta(item, field.hi, cut)
    reader:show_delta(item, field.contig, cut)
    reader:show(item, field.low)
    local function spans(name)
        reader:spans(item, name, purge)
    end
    local function partitions(name)
        reader:show(item, field.known)
        local count = reader:varint():tonumber()
        for _ = 1, count do
            if reader.bad then return end
            spans(name .. ", partition " .. tostring(reader:show(item, field.partition)))
        end
    end
    if has(flags, 32) then
        spans("missing at a keeper")
        spans("missing at all")
        spans("missing at the hop before")
        spans("asked for")
    end
    if has(flags, 64) then
        partitions("last round")
        partitions("this round")
    end
    if has(flags, 8) then
        spans("wanted in the last round")
        spans("wanted in this round")
        spans("lacking everywhere so far")
    end
    if has(flags, 128) then
        spans("to be skipped")
    end
    if has(flags, 512) then
        spans("missing at any")
    end
    if not reader.bad then item:set_len(reader.at - start) end
end

local body = {}

body[1] = function(reader, tree)
    local number = reader:number(tree, field.number, 8)
    return "#" .. tostring(number) .. " " .. read_frames(reader, tree)
end

body[2] = function(reader, tree)
    local origin = reader:number(tree, field.origin, 4)
    local number = reader:number(tree, field.number, 8)
    return "#" .. tostring(number) .. " of " .. tostring(origin) .. " " .. read_frames(reader, tree)
end

body[3] = function(reader, tree)
    reader:number(tree, field.round, 8)
    local stage = reader:number(tree, field.stage, 1)
    reader:number(tree, field.token_flags, 1)
    local records = reader:number(tree, field.records, 2) or 0
    reader:number(tree, field.asked, 2)
    for _ = 1, records do
        if reader.bad then break end
        read_record(reader, tree)
    end
    return (STAGES[stage] or "?") .. ", records " .. records
end

body[4] = function(reader, tree)
    local sender = reader:show(tree, field.ack_sender)
    local contig = reader:show(tree, field.contig)
    reader:show(tree, field.low)
    reader:spans(tree, "received above", contig)
    return "of " .. tostring(sender) .. " up to " .. tostring(contig)
end

body[5] = function(reader, tree)
    return "up to " .. tostring(reader:show(tree, field.hi))
end

body[6] = function(reader, tree)
    local count = 0
    while reader:left() > 0 and not reader.bad do
        local range = reader:take(1)
        local kind = range:uint()
        local item = tree:add(field.request, range, kind % 128)
        reader:number(item, field.origin, 4)
        local first = reader:show(item, field.first)
        if kind >= 128 then
            local size = reader:varint():tonumber()
            local bits = reader:take(size)
            if bits then item:add(field.bitmap, bits) end
        else
            reader:spans(item, "asked for", first)
        end
        count = count + 1
    end
    return count == 1 and "1 stream" or count .. " streams"
end

body[7] = function(reader, tree)
    reader:number(tree, field.epoch, 8)
    return "node " .. tostring(reader:number(tree, field.meant, 4))
end

body[8] = body[7]

body[9] = function(reader, tree)
    reader:show(tree, field.told)
    local group = reader:show(tree, field.group)
    local pause = reader:number(tree, field.pause, 1)
    reader:show(tree, field.credit)
    return "group " .. tostring(group) .. (pause == 1 and " pause" or " go on")
end

body[11] = function(reader, tree)
    reader:number(tree, field.round, 8)
    return ""
end

body[10] = function(reader, tree)
    local count = reader:number(tree, field.entries, 1) or 0
    if count < 2 or count > 32 then
        reader.bad = true
        return ""
    end
    for _ = 1, count do
        reader:number(tree, field.entry_flags, 1)
        reader:number(tree, field.entry_view, 8)
        reader:number(tree, field.number, 8)
    end
    return "in " .. count .. " regions " .. read_frames(reader, tree)
end

local function is_encrypted(buffer, at)
    return buffer(at, 1):uint() >= ENCRYPTED
end

local function trailer_of(buffer, at)
    return is_encrypted(buffer, at) and SEAL_TAG + SESSION or TAG
end

local function read_header(reader, tree)
    reader:number(tree, field.version, 1)
    local kind = reader:number(tree, field.type, 1)
    reader:number(tree, field.flags, 1)
    reader:number(tree, field.key_id, 1)
    reader:number(tree, field.cluster, 4)
    local sender = reader:number(tree, field.sender, 4)
    reader:number(tree, field.incarnation, 4)
    reader:number(tree, field.counter, 8)
    reader:number(tree, field.view, 8)
    return kind, sender
end

local function dissect_encrypted(buffer, tree, kind, sender)
    local size = buffer:len() - HEADER - SEAL_TAG - SESSION
    if size > 0 then
        tree:add(field.ciphertext, buffer(HEADER, size))
    end
    tree:add(field.tag, buffer(HEADER + size, SEAL_TAG))
    tree:add(field.session, buffer(HEADER + size + SEAL_TAG, SESSION))
    return TYPES[kind] .. " from " .. sender .. ", " .. size .. " bytes encrypted"
end

local function dissect(buffer, packet, root)
    local length = buffer:len()
    local tree = root:add(liven, buffer())
    local reader = Reader.over(buffer, 0, length - trailer_of(buffer, 0))
    local kind, sender = read_header(reader, tree)
    tree:add(field.encrypted, buffer(0, 1))
    if is_encrypted(buffer, 0) then
        return dissect_encrypted(buffer, tree, kind, sender)
    end
    local words = body[kind](reader, tree)
    if reader.bad or reader:left() > 0 then
        tree:add_proto_expert_info(malformed)
    end
    tree:add(field.tag, buffer(length - TAG, TAG))
    return TYPES[kind] .. " from " .. sender .. " " .. words
end

-- On loopback the kernel captures a train of datagrams of equal size as one. Cluster, sender and incarnation,
-- which are the same in all, show where the next one begins.
local function size_of_each(buffer)
    local length, who, first = buffer:len(), buffer:raw(4, 12), buffer(0, 1):uint()
    local least = HEADER + trailer_of(buffer, 0)
    local found = buffer:raw():find(who, least + 5, true)
    while found do
        local size, fits = found - 5, true
        for at = size, length - 1, size do
            fits = fits and length - at >= least and buffer(at, 1):uint() == first and
                TYPES[buffer(at + 1, 1):uint()] ~= nil and buffer:raw(at + 4, 12) == who
        end
        if fits then return size end
        found = buffer:raw():find(who, found + 1, true)
    end
    return length
end

function liven.dissector(buffer, packet, root)
    local length, size = buffer:len(), size_of_each(buffer)
    local words, count = "", 0
    for at = 0, length - 1, size do
        words = dissect(buffer(at, math.min(size, length - at)):tvb(), packet, root)
        count = count + 1
    end
    packet.cols.protocol = "Liven"
    packet.cols.info = count > 1 and count .. " datagrams, the last " .. words or words
    return length
end

local function is_ours(buffer, packet, root)
    if buffer:len() < HEADER + TAG or buffer(0, 1):uint() % ENCRYPTED ~= VERSION then return false end
    local kind, trailer = buffer(1, 1):uint(), trailer_of(buffer, 0)
    if buffer:len() < HEADER + trailer or not TYPES[kind] or buffer(2, 1):uint() > (FLAGS_MOST[kind] or 0) or buffer(4, 4):uint() == 0 or
        buffer(8, 4):uint() == 0 or BODY[kind] and buffer:len() ~= HEADER + BODY[kind] + trailer then
        return false
    end
    liven.dissector(buffer, packet, root)
    return true
end

liven:register_heuristic("udp", is_ours)
